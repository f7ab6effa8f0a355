import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { emitIntMdSource, INT_DSCP, INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { emitIpv4, IPV4_LENGTH, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { emitUdp, UDP_LENGTH } from '../../common/wire/ip/udp';
import { randomByte } from '../support/differential/random-packets';
import type { Random } from '../../common/random/random';
import type { PortPacket } from '../support/bmv2-dataplane';

export interface PacketCase {
  readonly name: string;
  readonly packet: PortPacket;
  /** True if its checksums and lengths are right, so that they must still be after the switch. */
  readonly isSound: boolean;
}

const IP_AT = ETHERNET_LENGTH;
const UDP_AT = IP_AT + IPV4_LENGTH;
const INT_AT = UDP_AT + UDP_LENGTH;

interface Shape {
  readonly payload?: number;
  readonly ttl?: number;
  readonly dscp?: number;
  readonly remainingHops?: number;
  readonly destination?: number;
  /** Changes bytes before the UDP checksum is made. */
  readonly edit?: (bytes: Uint8Array) => void;
  /** Changes bytes after all checksums are made. */
  readonly damage?: (bytes: Uint8Array) => void;
}

/** A UDP datagram from host 1 to host 2 with an empty INT stack. */
function datagram(shape: Shape): Uint8Array {
  const { payload = 100, ttl = 64, dscp = INT_DSCP, remainingHops = 8 } = shape;
  const length = INT_AT + INT_FIXED_LENGTH + payload;
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) & 0xff);
  const source = 0x0a000001;
  const destination = shape.destination ?? 0x0a000002;
  const mac = { destination: 0x020000070001, source: 0x020100000001 };
  emitEthernet({ ...mac, etherType: ETHERTYPE_IPV4 }, bytes);
  emitIntMdSource({ remainingHops, originalDscp: 0 }, bytes, INT_AT);
  shape.edit?.(bytes);
  const totalLength = length - IP_AT;
  const fields = { dscp, ecn: 1, identification: 7, ttl, protocol: PROTOCOL_UDP };
  emitIpv4({ ...fields, totalLength, source, destination }, bytes, IP_AT);
  const udp = { sourcePort: 50000, destinationPort: 50002, length: length - UDP_AT };
  emitUdp(udp, bytes, { source, destination, offset: UDP_AT, end: length });
  shape.damage?.(bytes);
  return bytes;
}

const sound = (name: string, shape: Shape): PacketCase => ({
  name,
  packet: { port: 1, bytes: datagram(shape) },
  isSound: true,
});
const damaged = (name: string, damage: (bytes: Uint8Array) => void): PacketCase => ({
  name,
  packet: { port: 1, bytes: datagram({ damage }) },
  isSound: false,
});

/** A packet without INT and of another length than all others, which the program forwards. */
export const markerBytes = (): Uint8Array => datagram({ dscp: 0, payload: 7 });

/** Every way through the program, and packets cut short at every byte. */
export function packetsForComparison(): PacketCase[] {
  const whole = datagram({});
  const cuts = Array.from({ length: INT_AT + INT_FIXED_LENGTH + 4 }, (_, length): PacketCase => ({
    name: `a packet cut to ${length} bytes`,
    packet: { port: 1, bytes: whole.slice(0, length) },
    isSound: false,
  })).filter(({ packet }) => packet.bytes.length > 0);
  return [
    sound('an INT packet', {}),
    sound('an INT packet with an odd payload', { payload: 33 }),
    sound('a full INT packet', { payload: 1016 }),
    sound('a second INT packet', {}),
    sound('a packet without INT', { dscp: 0 }),
    sound('an INT packet without hops left', { remainingHops: 0 }),
    sound('an INT packet with one hop left', { remainingHops: 1 }),
    sound('an INT packet that would exceed the MTU', { payload: 1440 }),
    sound('an INT packet of another version', { edit: (b) => (b[INT_AT + 4] = 0x10) }),
    sound('an INT packet of another domain', { edit: (b) => (b[INT_AT + 10] = 0) }),
    sound('an INT packet of another hop length', { edit: (b) => (b[INT_AT + 6] = 7) }),
    sound('an INT packet of another type', { edit: (b) => (b[INT_AT] = 0x30) }),
    sound('an INT packet whose shim is full', { edit: (b) => (b[INT_AT + 1] = 250) }),
    sound('a packet without route', { destination: 0x0a000009 }),
    sound('a packet whose time to live ends', { ttl: 1 }),
    damaged('a packet without UDP checksum', (b) => b.fill(0, UDP_AT + 6, UDP_AT + 8)),
    damaged('a packet with a wrong UDP checksum', (b) => (b[UDP_AT + 6] = 0x55)),
    damaged('a packet with a wrong IPv4 checksum', (b) => (b[IP_AT + 10] = 0x55)),
    damaged('a packet that is no IPv4', (b) => (b[12] = 0x86)),
    damaged('a packet with a short UDP length', (b) => (b[UDP_AT + 5] = 20)),
    ...cuts,
  ];
}

const MUTATIONS_MAX = 3;

/**
 * One of the packets for comparison with up to three bytes changed: one in three stays whole, one
 * in three keeps its Ethernet and IPv4 headers.
 */
export function mutatedPacket(random: Random): Uint8Array {
  // Most of the cases are cuts, which rarely leave.
  const all = packetsForComparison();
  const cases = random.below(4) === 0 ? all : all.filter(({ isSound }) => isSound);
  const bytes = cases[random.below(cases.length)]?.packet.bytes.slice() ?? new Uint8Array(1);
  const first = [bytes.length, UDP_AT, 0][random.below(3)] ?? 0;
  if (first >= bytes.length) return bytes;
  for (let i = random.below(MUTATIONS_MAX + 1); i > 0; i--) {
    bytes[first + random.below(bytes.length - first)] = randomByte(random);
  }
  return bytes;
}
