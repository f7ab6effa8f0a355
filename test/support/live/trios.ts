import * as fs from 'node:fs';
import { ipIn } from '../../../bench/live/host-star';
import { startSwitchProcess } from '../../../bench/live/switch-process';
import type { SwitchProcess } from '../../../bench/live/switch-process';
import { makeLeg, removeLeg } from '../../../bench/live/test-bed';
import type { Leg } from '../../../bench/live/test-bed';
import { formatIpv4, formatMac } from '../../../common/topology/topology';
import { formatMappedIpv6 } from '../../../common/wire/ip/mapped-ipv6';
import { applyDocument } from '../../../controller/io/apply-network';
import { REALTIME } from '../../../mininet/io/run-plan';
import { LIVE_PROGRAM } from '../own-command';
import type { LiveProgram } from './live-combinations';

const DEADLINE_MS = 20_000;
const HOST_NETWORK = 0x0a00_0000;
const HOST_MAC = 0x0201_0000_0000;
/** Room enough for a first window of two hosts. */
const DEPTH_PACKETS = 512;

export const SWITCHES = ['hpcc switch', 'bmv2'] as const;
export type LiveSwitch = (typeof SWITCHES)[number];
export const BMV2 = 'simple_switch_grpc';

/** A host at a port of the switch that all share. */
export interface TrioHost {
  readonly leg: Leg;
  readonly port: number;
  readonly address: string;
  readonly mac: string;
}

/** A receiver behind a slow port, and two senders. */
export interface Trio {
  readonly receiver: TrioHost;
  readonly senders: readonly [TrioHost, TrioHost];
}

export function makeTrios(count: number): Trio[] {
  const trios: Trio[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const trio: Trio = {
        receiver: makeHost(3 * i + 1),
        senders: [makeHost(3 * i + 2), makeHost(3 * i + 3)],
      };
      trios.push(trio);
      trio.senders.forEach((sender) => introduce(sender, trio.receiver));
    }
  } catch (error) {
    removeTrios(trios);
    throw error;
  }
  return trios;
}

/**
 * Lets a host's kernel know another host. What comes when its process has gone is then refused by a packet that
 * leaves the switch, where a request for the address would end in it and count as lost.
 */
function introduce({ leg }: TrioHost, { address, mac }: TrioHost): void {
  const neighbour = ['lladdr', mac, 'dev', leg.inner, 'nud', 'permanent'];
  ipIn(leg.namespace, 'neigh', 'add', address, ...neighbour);
}

export const hostsOf = (trios: readonly Trio[]): TrioHost[] =>
  trios.flatMap(({ receiver, senders }) => [receiver, ...senders]);

export const removeTrios = (trios: readonly Trio[]): void =>
  hostsOf(trios).forEach(({ leg }) => removeLeg(leg));

function makeHost(port: number): TrioHost {
  const leg = makeLeg();
  const address = formatIpv4(HOST_NETWORK + port);
  const mac = formatMac(HOST_MAC + port);
  ipIn(leg.namespace, 'link', 'set', leg.inner, 'address', mac);
  ipIn(leg.namespace, 'addr', 'add', `${address}/24`, 'dev', leg.inner);
  return { leg, port, address, mac };
}

/** Starts the one switch of all trios, without a program. */
export function startSwitchFor(
  kind: LiveSwitch,
  trios: readonly Trio[],
  rateBps: number,
): Promise<SwitchProcess> {
  const rates = trios.map(({ receiver: { port } }) => `${port}=${rateBps}`);
  const flags = [
    ...rates.flatMap((rate) => ['--link-rate-bps', rate]),
    '--clock-unit-ns',
    '1',
    '--queue-unit-bytes',
    '64',
  ];
  const program = kind === 'bmv2' ? [BMV2] : [...LIVE_PROGRAM, 'switch', ...flags];
  return startSwitchProcess(
    [...REALTIME, ...program],
    hostsOf(trios).map(({ leg }) => leg.outer),
  );
}

interface Loading {
  readonly kind: LiveSwitch;
  readonly trios: readonly Trio[];
  readonly rateBps: number;
  readonly frameBytes: number;
}

/** Has the switch run a program, with everything that hosts and telemetry need. */
export async function loadFor(
  { address, thriftAddress }: SwitchProcess,
  own: LiveProgram,
  { kind, trios, rateBps, frameBytes }: Loading,
): Promise<void> {
  const slow = new Set(trios.map(({ receiver }) => receiver.port));
  const units =
    kind === 'bmv2'
      ? { thrift: thriftAddress, packetBytes: frameBytes, queues: { depthPackets: DEPTH_PACKETS } }
      : { clockUnitNs: 1, queueUnitBytes: 64 };
  const hosts = hostsOf(trios);
  const document = {
    network: 'trios',
    ...own,
    switches: [{ name: 's1', address, ...units }],
    hosts: hosts.map(({ port, address: ipv4, mac }) => ({
      name: `h${port}`,
      ipv4,
      mac,
      ipv6: formatMappedIpv6(HOST_NETWORK + port),
    })),
    links: hosts.map(({ port }) => ({
      between: [`h${port}`, `s1:${port}`] as [string, string],
      rate: slow.has(port) ? `${rateBps / 1e6} Mb/s` : '1 Gb/s',
    })),
  };
  await applyDocument(document, DEADLINE_MS);
}

/** Counters of the kernel at a port of the switch, from the switch's side. */
export interface PortCount {
  readonly packetsIn: number;
  readonly packetsOut: number;
  readonly bytesOut: number;
}

export function countsAt({ leg: { outer } }: TrioHost): PortCount {
  const read = (name: string): number =>
    Number(fs.readFileSync(`/sys/class/net/${outer}/statistics/${name}`, 'utf8'));
  return {
    packetsIn: read('rx_packets'),
    packetsOut: read('tx_packets'),
    bytesOut: read('tx_bytes'),
  };
}
