import { internetChecksum } from '../../../common/wire/ip/checksum';

/**
 * Frames with INT v2.1 in every carrier, computed from the specification alone: every length and checksum
 * anew, from the bytes.
 */
export interface PlainPacket {
  readonly family: 4 | 6;
  readonly kind: 'udp' | 'tcp' | 'vxlan' | 'vxlan-gpe' | 'geneve' | 'gre';
  readonly dscp: number;
  /** Last 16 bits of the source address, by which watchlists know the packet. */
  readonly source: number;
  /** Words of options, of TCP and Geneve. */
  readonly optionWords: number;
  /** False for UDP without a checksum. */
  readonly hasChecksum: boolean;
  /** Checksum, key and sequence number of GRE. */
  readonly greFields: readonly [boolean, boolean, boolean];
  readonly payload: Uint8Array;
}

/** UDP over IPv4 with nothing out of the ordinary, from the source that watchlists of tests know as 1. */
export const UDP_PACKET: PlainPacket = {
  family: 4,
  kind: 'udp',
  dscp: 0,
  source: 1,
  optionWords: 0,
  hasChecksum: true,
  greFields: [false, false, false],
  payload: new Uint8Array(100),
};

/** Methods and carriers, in the order of the numbers that the program has for them. */
export const CARRIERS = [
  'none',
  'dscp',
  'port',
  'new-udp',
  'marker',
  'gre',
  'vxlan',
  'geneve',
  'new-gre',
] as const;

export type Carrier = Exclude<(typeof CARRIERS)[number], 'none'>;

/** INT as a packet carries it. */
export interface IntBytes {
  readonly carrier: Carrier;
  /** 1 for INT-MD, 3 for INT-MX. */
  readonly type: number;
  /** INT header and stack. */
  readonly bytes: readonly number[];
}

/** The frame's place on its way. */
export interface Place {
  readonly ttl: number;
  readonly destination: 2 | 3;
  /** Checksum of TCP, UDP or GRE in place of the right one. */
  readonly checksum?: number;
}

export const INT_PORT = 50_000;
const INT_DSCP = 0x17;
const INT_GRE = 0x88b6;
const VXLAN_INT = 0x82;
const MARKER = [...Buffer.from('INT-mark')];
const ETHERNET = 3;

export const u16 = (value: number): number[] => [(value >>> 8) & 0xff, value & 0xff];
export const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value)];

/** A frame of the plain packet, or of it with INT. */
export function frameOf(plain: PlainPacket, place: Place, int?: IntBytes): Uint8Array {
  const isFirst = place.ttl === 64;
  const macs = isFirst
    ? [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]
    : [2, 0, 0, 0, 0, 0xb, 2, 0, 0, 0, 0, 0xa];
  return Uint8Array.from([...macs, ...etherType(plain), ...ipPacket(plain, place, int)]);
}

const etherType = ({ family }: PlainPacket): number[] => u16(family === 4 ? 0x0800 : 0x86dd);

/** The checksum of TCP, UDP or GRE that the frame has; undefined if it has none. */
export function carrierChecksum(
  plain: PlainPacket,
  place: Place,
  int?: IntBytes,
): number | undefined {
  const frame = frameOf(plain, place, int);
  const at = checksumAt(plain, int);
  if (at === undefined) return undefined;
  const found = ((frame[at] ?? 0) << 8) | (frame[at + 1] ?? 0);
  return found === 0 && isUdp(plain) ? undefined : found;
}

/** One's complement sum of all that the carrier's checksum covers, of a right frame 0xffff. */
export function carrierSum(plain: PlainPacket, place: Place, int: IntBytes): number {
  const frame = frameOf(plain, place, int);
  const header = plain.family === 4 ? 20 : 40;
  const segment = [...frame.subarray(14 + header)];
  if (plain.kind === 'gre') return 0xffff - internetChecksum(Uint8Array.from(segment));
  const whole = [...pseudoHeader(plain, place, protocolOf(plain), segment.length), ...segment];
  return 0xffff - internetChecksum(Uint8Array.from(whole));
}

const isUdp = ({ kind }: PlainPacket): boolean => kind !== 'tcp' && kind !== 'gre';
const protocolOf = ({ kind }: PlainPacket): number =>
  kind === 'tcp' ? 6 : kind === 'gre' ? 47 : 17;

function checksumAt(plain: PlainPacket, int?: IntBytes): number | undefined {
  const l4 = 14 + (plain.family === 4 ? 20 : 40);
  if (int?.carrier === 'new-udp' || int?.carrier === 'new-gre') return undefined;
  if (plain.kind === 'tcp') return l4 + 16;
  if (plain.kind === 'gre') return plain.greFields[0] ? l4 + 4 : undefined;
  return l4 + 6;
}

function ipPacket(plain: PlainPacket, place: Place, int?: IntBytes): number[] {
  if (int?.carrier === 'new-gre') {
    // The source has forwarded the packet before it put the headers in front.
    const { checksum: _, ...own } = place;
    const inner = ipPacket(plain, { ...own, ttl: 63 });
    const shim = [(int.type << 4) | 8, int.bytes.length / 4, ...etherType(plain)];
    return ip(plain, place, { protocol: 47 }, [
      0,
      0,
      ...u16(INT_GRE),
      ...shim,
      ...int.bytes,
      ...inner,
    ]);
  }
  if (int?.carrier === 'new-udp') {
    const { checksum: _, ...own } = place;
    const protocol = protocolOf(plain);
    const inner = segmentOf(plain, own);
    const shim = [(int.type << 4) | 8, int.bytes.length / 4, 0, protocol];
    const body = [...shim, ...int.bytes, ...inner];
    // The source port is any hash of the flow: tests take it from what the source made.
    return ip(plain, place, { protocol: 17 }, [
      ...u16(0),
      ...u16(INT_PORT),
      ...u16(8 + body.length),
      0,
      0,
      ...body,
    ]);
  }
  const segment = segmentOf(plain, place, int);
  const isMarked = int?.carrier === 'dscp';
  return ip(plain, place, { protocol: protocolOf(plain), isMarked }, segment);
}

function segmentOf(plain: PlainPacket, place: Place, int?: IntBytes): number[] {
  if (plain.kind === 'gre') return gre(plain, place, int);
  const segment = plain.kind === 'tcp' ? tcp(plain, int) : udp(plain, int);
  const at = plain.kind === 'tcp' ? 16 : 6;
  if (plain.kind !== 'tcp' && !plain.hasChecksum) return segment;
  const pseudo = pseudoHeader(plain, place, protocolOf(plain), segment.length);
  const sum = internetChecksum(Uint8Array.from([...pseudo, ...segment]));
  const right = isUdp(plain) && sum === 0 ? 0xffff : sum;
  segment.splice(at, 2, ...u16(place.checksum ?? right));
  return segment;
}

/** Shim behind a UDP or TCP header, with the marker if that announces it. */
function behindL4(plain: PlainPacket, port: number, int?: IntBytes): number[] {
  if (int === undefined) return [];
  const words = int.bytes.length / 4;
  switch (int.carrier) {
    case 'dscp':
      return [int.type << 4, words, 0, plain.dscp << 2, ...int.bytes];
    case 'marker':
      return [...MARKER, int.type << 4, words, 0, plain.dscp << 2, ...int.bytes];
    case 'port':
      return [(int.type << 4) | 4, words, ...u16(port), ...int.bytes];
    case 'gre':
    case 'vxlan':
    case 'geneve':
    case 'new-gre':
    case 'new-udp':
      return [];
  }
}

function udp(plain: PlainPacket, int?: IntBytes): number[] {
  const isVxlan = plain.kind === 'vxlan';
  const original = { udp: 4791, vxlan: 4789, 'vxlan-gpe': 4790, geneve: 6081 };
  const ownPort = original[plain.kind as keyof typeof original];
  const isGpe = plain.kind === 'vxlan-gpe' || (isVxlan && int?.carrier === 'vxlan');
  const port = int?.carrier === 'port' ? INT_PORT : isGpe ? 4790 : ownPort;
  const body = [...behindL4(plain, ownPort, int)];
  if (isGpe) {
    const next = isVxlan ? ETHERNET : 1;
    body.push(0x0c, 0, 0, int === undefined ? next : VXLAN_INT, 1, 2, 3, 0);
    if (int !== undefined) {
      body.push(int.type << 4, int.bytes.length / 4, isVxlan ? 0x80 : 0, next, ...int.bytes);
    }
  } else if (isVxlan) body.push(0x08, 0, 0, 0, 1, 2, 3, 0);
  else if (plain.kind === 'geneve') body.push(...geneve(plain, int));
  body.push(...plain.payload);
  return [...u16(40_000), ...u16(port), ...u16(8 + body.length), 0, 0, ...body];
}

/** Options of others follow that of INT. */
function geneve({ optionWords }: PlainPacket, int?: IntBytes): number[] {
  const own = int === undefined ? [] : [0x01, 0x03, int.type, int.bytes.length / 4, ...int.bytes];
  const others = optionWords === 0 ? [] : [0xff, 0xfe, 7, optionWords - 1];
  const data = new Array<number>(Math.max(0, optionWords - 1) * 4).fill(0x5a);
  const words = (own.length + others.length + data.length) / 4;
  return [words, 0, 0x65, 0x58, 9, 8, 7, 0, ...own, ...others, ...data];
}

function tcp(plain: PlainPacket, int?: IntBytes): number[] {
  const options = new Array<number>(plain.optionWords * 4).fill(1);
  const head = [
    ...u16(40_000),
    ...u16(5201),
    ...u32(7),
    ...u32(9),
    (5 + plain.optionWords) << 4,
    24,
  ];
  const rest = [...u16(8192), 0, 0, 0, 0];
  return [...head, ...rest, ...options, ...behindL4(plain, 0, int), ...plain.payload];
}

function gre({ greFields, payload }: PlainPacket, place: Place, int?: IntBytes): number[] {
  const [hasChecksum, hasKey, hasSequence] = greFields;
  const flags = (hasChecksum ? 0x80 : 0) | (hasKey ? 0x20 : 0) | (hasSequence ? 0x10 : 0);
  const shim =
    int === undefined ? [] : [int.type << 4, int.bytes.length / 4, 0x65, 0x58, ...int.bytes];
  const bytes = [
    flags,
    0,
    ...u16(int === undefined ? 0x6558 : INT_GRE),
    ...(hasChecksum ? [0, 0, 0, 0] : []),
    ...(hasKey ? u32(0xcafe_0001) : []),
    ...(hasSequence ? u32(17) : []),
    ...shim,
    ...payload,
  ];
  if (hasChecksum) {
    const right = internetChecksum(Uint8Array.from(bytes));
    bytes.splice(4, 2, ...u16(place.checksum ?? right));
  }
  return bytes;
}

function addressesOf({ family, source }: PlainPacket, { destination }: Place): number[] {
  if (family === 4) return [10, 1, ...u16(source), 10, 0, 0, destination];
  const net = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0];
  return [...net, 0, 1, ...u16(source), ...net, 0, 0, 0, destination];
}

function pseudoHeader(
  plain: PlainPacket,
  place: Place,
  protocol: number,
  length: number,
): number[] {
  return [...addressesOf(plain, place), 0, protocol, ...u16(length)];
}

/** An IP packet whose DSCP announces INT, or is that of the plain packet. */
function ip(
  plain: PlainPacket,
  place: Place,
  { protocol, isMarked = false }: { readonly protocol: number; readonly isMarked?: boolean },
  body: readonly number[],
): number[] {
  const dscp = isMarked ? INT_DSCP : plain.dscp;
  if (plain.family === 6) {
    const traffic = [0x60 | (dscp >> 2), (dscp & 3) << 6, 0, 0];
    return [
      ...traffic,
      ...u16(body.length),
      protocol,
      place.ttl,
      ...addressesOf(plain, place),
      ...body,
    ];
  }
  const head = [0x45, dscp << 2, ...u16(20 + body.length), 0, 1, 0x40, 0, place.ttl, protocol];
  const header = [...head, 0, 0, ...addressesOf(plain, place)];
  header.splice(10, 2, ...u16(internetChecksum(Uint8Array.from(header))));
  return [...header, ...body];
}
