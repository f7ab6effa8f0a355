import { InputError } from '../../common/errors';
import { startClock } from '../../common/io/monotonic-clock';
import { formatIpv4 } from '../../common/topology/addresses';
import type { BitsPerSecond, Bytes } from '../../common/units/units';
import { gigabitsPerSecond, microseconds, milliseconds } from '../../common/units/units';
import { ETHERNET_LENGTH } from '../../common/wire/ethernet';
import { HP_DOMAIN } from '../../common/wire/int-md';
import type { CongestionControlFactory } from '../algorithm/congestion-control';
import { hpccppFactory } from '../algorithm/window-form';
import { MeteredControl } from '../traffic/metered-control';
import { DATA_HEADER_LENGTH } from '../transport/frame-template';
import { HostAgent } from '../transport/host';
import type { HostConfig } from '../transport/host-config';
import type { HostEvent } from '../transport/host-events';
import type { AgentOptions } from './agent-options';
import { DeliveryCheck } from './live/flow-payload';
import { LiveHost } from './live/live-host';
import type { FramePort } from './net/frame-port';
import type { InterfaceFacts } from './net/interface-facts';
import { interfaceFacts, ipv4Argument, macArgument } from './net/interface-facts';
import { PacketPort } from './net/packet-port';
import { ReservedPort } from './net/reserved-port';
import { UdpPort } from './net/udp-port';

const MSS: Bytes = 1000;
const LINK_RATE: BitsPerSecond = gigabitsPerSecond(10);
const GENERATIONS = 0x10000;

/** A host with its sockets open, not yet driven. */
export interface OpenHost {
  readonly facts: InterfaceFacts;
  readonly address: number;
  readonly mac: number;
  readonly mss: Bytes;
  readonly linkRate: BitsPerSecond;
  readonly agent: HostAgent;
  readonly port: FramePort;
  readonly deliveries: DeliveryCheck | undefined;
  /** The congestion control of the flow that was started last. */
  readonly newestControl: () => MeteredControl;
  drive(on: HostReactions): LiveHost;
  /** Closes what {@link LiveHost.stop} does not. */
  release(): void;
}

export interface HostReactions {
  readonly onEvent: (event: HostEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Opens the sockets of a host.
 * @param rateMax per flow.
 * @throws InputError naming the option, interface, right or port that stands against it.
 */
export function openHost(options: AgentOptions, rateMax: BitsPerSecond | undefined): OpenHost {
  const facts = interfaceFacts(options.interface);
  const address = ownAddress(options, facts);
  const mac = options.mac === undefined ? facts.mac : macArgument('--mac', options.mac);
  const linkRate = options.linkRate ?? facts.linkRate ?? LINK_RATE;
  const mss = options.mss ?? MSS;
  checkMtu(facts, mss, options.hopLimit);
  const deliveries = options.checksum ? new DeliveryCheck() : undefined;
  const controls = meteredControls(options, rateMax);
  const identity = { address, mac, linkRate, mss };
  const agent = new HostAgent(hostConfig(options, identity, { controls, deliveries }));
  const { port, release } = openPort(options, { facts, address });
  return {
    ...{ facts, address, mac, mss, linkRate, agent, port, deliveries, release },
    newestControl: controls.newest,
    drive: (on) => new LiveHost({ clock: startClock(), agent, port, linkRate, ...on }),
  };
}

function ownAddress({ address, interface: name }: AgentOptions, facts: InterfaceFacts): number {
  if (address !== undefined) return ipv4Argument('--address', address);
  if (facts.ipv4 !== undefined) return facts.ipv4.address;
  throw new InputError(`interface ${name} has no IPv4 address; give one with --address`);
}

/** Data with the telemetry of a whole path must fit, or switches could not add theirs. */
function checkMtu({ name, mtu }: InterfaceFacts, mss: Bytes, hops: number): void {
  const headers = DATA_HEADER_LENGTH - ETHERNET_LENGTH;
  const needed = mss + headers + hops * HP_DOMAIN.hopLength;
  if (needed <= mtu) return;
  const parts = `${mss} bytes of payload, ${headers} of headers and ${hops} hops of telemetry`;
  throw new InputError(
    `${parts} need an MTU of ${needed}, and ${name} has ${mtu}: lower --mss or --hop-limit`,
  );
}

interface Identity {
  readonly address: number;
  readonly mac: number;
  readonly linkRate: BitsPerSecond;
  readonly mss: Bytes;
}

interface Attachments {
  readonly controls: MeteredControls;
  readonly deliveries: DeliveryCheck | undefined;
}

function hostConfig(
  options: AgentOptions,
  identity: Identity,
  { controls, deliveries }: Attachments,
): HostConfig {
  const { baseRttUs, retransmissionMs, hopLimit, acknowledgeEvery } = options;
  return {
    ...identity,
    baseRtt: microseconds(baseRttUs),
    retransmissionTimeout: milliseconds(retransmissionMs),
    intHopLimit: hopLimit,
    congestionControl: controls.factory,
    feedback: { acknowledgeEvery },
    // Peers that run on remember the flows of the process that had this address before.
    firstGeneration: Math.floor(Date.now() / 1000) % GENERATIONS,
    ...(deliveries && { deliver: deliveries.deliver }),
  };
}

interface MeteredControls {
  readonly factory: CongestionControlFactory;
  readonly newest: () => MeteredControl;
}

function meteredControls(options: AgentOptions, rateMax?: BitsPerSecond): MeteredControls {
  const { targetUtilization, maxStage, expectedFlows } = options;
  const inner = hpccppFactory({
    maxHops: options.hopLimit,
    ...(targetUtilization !== undefined && { targetUtilization }),
    ...(maxStage !== undefined && { maxStage }),
    ...(expectedFlows !== undefined && { expectedFlows }),
  });
  let newest: MeteredControl | undefined;
  return {
    factory: (environment) => (newest = new MeteredControl(inner(environment), rateMax)),
    newest: () => {
      if (newest === undefined) throw new Error('Internal error: no flow has been started');
      return newest;
    },
  };
}

function openPort(
  { transport, interface: name }: AgentOptions,
  { facts, address }: { readonly facts: InterfaceFacts; readonly address: number },
): { readonly port: FramePort; readonly release: () => void } {
  if (transport === 'udp') {
    if (facts.ipv4?.address !== address) {
      throw new InputError(
        `--transport udp needs an address of ${name}, and ${formatIpv4(address)} is none`,
      );
    }
    return { port: new UdpPort(address, facts.mtu), release: () => undefined };
  }
  const port = new PacketPort(name);
  try {
    // What is not the kernel's own address, the kernel does not answer for.
    const reserved = facts.ipv4?.address === address ? new ReservedPort(address) : undefined;
    return { port, release: () => reserved?.close() };
  } catch (error) {
    port.close();
    throw error;
  }
}
