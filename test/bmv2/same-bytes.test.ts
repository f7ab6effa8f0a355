import type { Packet } from '../../common/packet/packet';
import type { HopRecord } from '../../common/hop/hop';
import type { Topology } from '../../common/topology/topology';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { parseIntMd, readHops } from '../../common/wire/int/int-md';
import type { IntMd } from '../../common/wire/int/int-md';
import { IPV4_LENGTH, parseIpv4 } from '../../common/wire/ip/ipv4';
import type { ParsedIpv4 } from '../../common/wire/ip/ipv4';
import { UDP_LENGTH, parseUdp } from '../../common/wire/ip/udp';
import { topologyDocument } from '../../controller/document/topology-document';
import { applyDocument } from '../../controller/io/apply-network';
import { startP4RuntimeServer } from '../../switch/server/server';
import { V1ModelSwitch } from '../../switch/v1model/v1model-switch';
import { Bmv2Dataplane } from '../support/bmv2-dataplane';
import type { PortPacket } from '../support/bmv2-dataplane';
import { bmv2Available, startBmv2 } from '../support/bmv2-process';
import type { Bmv2 } from '../support/bmv2-process';
import { faultText } from '../support/fault-text';
import { toHex } from '../support/hex';
import { describeIf } from '../support/requires';
import { comparable, hasPushedHop } from './comparable';
import { markerBytes, packetsForComparison } from './packets';

const DEVICE = 1;
const IP_AT = ETHERNET_LENGTH;
const UDP_AT = IP_AT + IPV4_LENGTH;
const INT_AT = UDP_AT + UDP_LENGTH;

const DEADLINE_MS = 20_000;
const QUEUE_UNIT_BYTES = 1106;

/**
 * Follows every packet through the switch, which keeps the order: when the marker comes out first,
 * the packet was dropped, and nobody had to wait for nothing.
 */
const MARKER: PortPacket = { port: 1, bytes: markerBytes() };
const isMarker = ({ bytes }: PortPacket): boolean =>
  toHex(bytes.subarray(UDP_AT)) === toHex(MARKER.bytes.subarray(UDP_AT));

/** Two hosts at one switch, in the units that bmv2 reports in: microseconds and packets. */
const TOPOLOGY: Topology = {
  name: 'pair',
  switches: [
    {
      name: 's1',
      deviceId: DEVICE,
      nodeId: 7,
      clockUnitNs: 1000,
      queueDepthUnitBytes: QUEUE_UNIT_BYTES,
    },
  ],
  hosts: [
    { name: 'h1', ipv4: 0x0a000001, mac: 0x020100000001 },
    { name: 'h2', ipv4: 0x0a000002, mac: 0x020100000002 },
  ],
  links: [
    { a: { node: 's1', port: 1 }, b: { node: 'h1', port: 1 }, rate: 1e9, delay: 0, mtu: 1500 },
    { a: { node: 's1', port: 2 }, b: { node: 'h2', port: 1 }, rate: 1e9, delay: 0, mtu: 1500 },
  ],
};

async function configure(address: string): Promise<void> {
  await applyDocument(
    topologyDocument(TOPOLOGY, () => address),
    DEADLINE_MS,
  );
}

/**
 * Sends the packets through the embedded switch, set up by the same controller over gRPC; returns what
 * leaves.
 */
async function throughEmbedded(
  packets: readonly PortPacket[],
): Promise<(PortPacket | undefined)[]> {
  let out: PortPacket | undefined;
  const device = new V1ModelSwitch({
    ports: [1, 2].map((port) => ({ port, rate: 1e9 })),
    output: {
      transmit: (port, { bytes }: Packet) => (out = { port, bytes: bytes.slice() }),
      schedulePort: () => undefined,
    },
  });
  const devices = new Map([[DEVICE, device]]);
  const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
  try {
    await configure(`127.0.0.1:${server.port}`);
  } finally {
    await server.stop();
  }
  let now = 0;
  const through = ({ port, bytes }: PortPacket): PortPacket | undefined => {
    out = undefined;
    device.handlePacket((now += 1e9), port, { bytes, length: bytes.length });
    return out;
  };
  return packets.map((packet) => {
    const result = through(packet);
    through(MARKER);
    return result;
  });
}

async function throughBmv2(
  bmv2: Bmv2,
  packets: readonly PortPacket[],
): Promise<(PortPacket | undefined)[]> {
  await configure(bmv2.p4runtime);
  const dataplane = new Bmv2Dataplane(bmv2.dataplane, bmv2.deviceId);
  const outs: (PortPacket | undefined)[] = [];
  try {
    for (const packet of packets) {
      dataplane.send(packet);
      dataplane.send(MARKER);
      const first = await dataplane.receive(DEADLINE_MS);
      const isDropped = first !== undefined && isMarker(first);
      outs.push(isDropped ? undefined : first);
      const marker = isDropped ? first : await dataplane.receive(DEADLINE_MS);
      if (marker === undefined) throw new Error('bmv2 did not forward the marker');
    }
  } finally {
    dataplane.close();
  }
  return outs;
}

const newestHop = (bytes: Uint8Array): HopRecord | undefined =>
  readHops(parseIntMd(bytes, INT_AT) as IntMd, bytes, INT_AT).at(-1);

describeIf(bmv2Available(), 'bmv2 on PATH', 'simple_switch_grpc is not on PATH', () => {
  const cases = packetsForComparison();
  const inputs = cases.map(({ packet }) => packet);
  let embedded: (PortPacket | undefined)[] = [];
  let real: (PortPacket | undefined)[] = [];

  beforeAll(async () => {
    const bmv2 = await startBmv2(DEVICE);
    try {
      real = await throughBmv2(bmv2, inputs);
    } finally {
      await bmv2.stop();
    }
    embedded = await throughEmbedded(inputs);
  });

  test.each(cases.map(({ name }, i) => [name, i] as const))(
    'gives the same bytes as the embedded switch for %s',
    (_name, i) => {
      expect(comparable(embedded[i])).toBe(comparable(real[i]));
    },
  );

  test.each(['embedded', 'bmv2'] as const)('%s writes telemetry of the right meaning', (which) => {
    const outs = which === 'bmv2' ? real : embedded;
    let txBytes = 0;
    let timestamp = -1;
    for (const out of outs) {
      const markerLength = MARKER.bytes.length;
      if (out?.port !== 2) {
        txBytes += markerLength;
        continue;
      }
      if (hasPushedHop(out.bytes)) {
        const hop = newestHop(out.bytes);
        expect(hop).toMatchObject({
          switchId: 7,
          portId: 2,
          txBytes,
          capacity: 1e9,
        });
        // The marker may already wait behind the packet: one packet of the configured size.
        expect([0, QUEUE_UNIT_BYTES]).toContain(hop?.queueBytes);
        // Microseconds in nanoseconds, never going back.
        expect((hop?.timestamp ?? 0) % 1000).toBe(0);
        expect(hop?.timestamp).toBeGreaterThanOrEqual(timestamp);
        timestamp = hop?.timestamp ?? 0;
      }
      txBytes += out.bytes.length + markerLength;
    }
    expect(timestamp).toBeGreaterThan(0);
  });

  test.each(['embedded', 'bmv2'] as const)('%s leaves every checksum right', (which) => {
    const outs = (which === 'bmv2' ? real : embedded).filter((_, i) => cases[i]?.isSound);
    for (const out of outs) {
      if (out === undefined) continue;
      const { bytes } = out;
      const ip = parseIpv4(bytes, IP_AT, bytes.length);
      expect(faultText(ip)).toBe('no fault');
      const { source, destination } = ip as ParsedIpv4;
      const udp = parseUdp(bytes, { source, destination, offset: UDP_AT, end: bytes.length });
      expect(faultText(udp)).toBe('no fault');
    }
  });
});
