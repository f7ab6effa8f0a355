import { readUint16, readUint32 } from '../../wire/bytes';
import { LINK_ETHERNET } from '../../wire/capture/link-type';
import { dissectFrame } from '../craft/kinds';
import type { AnyLayer, Fields } from '../craft/layer';
import type { DecodeSettings } from '../decode/decode-settings';

/** Code points by which a domain announces INT; the project's own unless given. */
export type JudgeSettings = Partial<DecodeSettings>;

/** INT shim behind UDP or TCP, as it stands in the frame. */
export interface ShimView {
  readonly at: number;
  readonly type: number;
  readonly npt: number;
  readonly reserved: number;
  readonly words: number;
  /** Second half: original DSCP with two bits behind it, port, or protocol behind a byte. */
  readonly original: number;
}

/** INT-MD or INT-MX header, as it stands in the frame. */
export interface IntView {
  readonly at: number;
  /** End of the stack, as the shim says it. */
  readonly end: number;
  readonly version: number;
  readonly discard: boolean;
  readonly hopLimitExceeded: boolean;
  readonly mtuExceeded: boolean;
  /** Reserved bits of the first word: 12 of INT-MD, 27 of INT-MX. */
  readonly reserved: number;
  readonly hopWords: number;
  readonly remainingHops: number;
  readonly bitmap: number;
  readonly domainId: number;
  readonly dsInstruction: number;
  readonly dsFlags: number;
  /** Hops in path order, where the stack can be read. */
  readonly hops: readonly Fields[];
}

/** An IP packet with or without INT behind UDP or TCP, in the terms of the specification. */
export interface PacketView {
  readonly bytes: Uint8Array;
  readonly family: 4 | 6;
  readonly ipAt: number;
  readonly ipEnd: number;
  readonly addresses: string;
  readonly dscp: number;
  readonly ecn: number;
  readonly ttl: number;
  readonly protocol: number;
  /** Sentences about lengths and checksums of IP that do not fit. */
  readonly ipFaults: readonly string[];
  readonly l4?: {
    readonly kind: 'udp' | 'tcp';
    readonly at: number;
    readonly end: number;
    readonly sourcePort: number;
    readonly destinationPort: number;
    /** Lengths and checksums that do not fit; 0 for no checksum. */
    readonly wrong: Fields;
  };
  readonly hasMarker: boolean;
  readonly shim?: ShimView;
  readonly int?: IntView;
}

const ETHERTYPE_AT = 12;
const VLAN = 0x8100;
const IPV4 = 0x0800;
const IPV6 = 0x86dd;
const MARKER_LENGTH = 8;
const SHIM_LENGTH = 4;
const TYPE_MX = 3;

/** Reads a frame; undefined where it has no IP header. */
export function viewPacket(
  bytes: Uint8Array,
  settings: JudgeSettings = {},
): PacketView | undefined {
  const tagged = bytes.length > 18 && readUint16(bytes, ETHERTYPE_AT) === VLAN;
  const ipAt = tagged ? 18 : 14;
  if (bytes.length < ipAt + 20) return undefined;
  const etherType = readUint16(bytes, ipAt - 2);
  if (etherType !== IPV4 && (etherType !== IPV6 || bytes.length < ipAt + 40)) return undefined;
  const { layers } = dissectFrame(bytes, LINK_ETHERNET, settings);
  const ip = ipView(bytes, ipAt, etherType === IPV4 ? 4 : 6, layers);
  const l4 = l4View(bytes, ip, layers);
  const shimLayer = layers.findIndex(({ kind }) => kind === 'int-shim');
  const hasMarker = layers[shimLayer - 1]?.kind === 'int-marker';
  if (l4 === undefined || shimLayer < 0) return { ...ip, ...(l4 && { l4 }), hasMarker: false };
  const shim = shimView(bytes, l4.end + (hasMarker ? MARKER_LENGTH : 0));
  const int = intView(bytes, shim, layers);
  return { ...ip, l4, hasMarker, shim, ...(int && { int }) };
}

type IpView = Omit<PacketView, 'l4' | 'shim' | 'int' | 'hasMarker'> & { readonly l4At: number };

function ipView(
  bytes: Uint8Array,
  ipAt: number,
  family: 4 | 6,
  layers: readonly AnyLayer[],
): IpView {
  const fields: Fields = layers.find(({ kind }) => kind === `ipv${family}`) ?? {};
  const byte = (at: number): number => bytes[ipAt + at] ?? 0;
  const is4 = family === 4;
  const traffic = is4 ? byte(1) : (readUint16(bytes, ipAt) >>> 4) & 0xff;
  const length = is4 ? readUint16(bytes, ipAt + 2) : 40 + readUint16(bytes, ipAt + 4);
  const faults = ['totalLength', 'payloadLength', 'checksum'].flatMap((name) =>
    fields[name] === undefined
      ? []
      : [`${name} ${JSON.stringify(fields[name])} does not fit the packet`],
  );
  return {
    bytes,
    family,
    ipAt,
    ipEnd: Math.min(bytes.length, ipAt + length),
    addresses: hex(bytes.subarray(ipAt + (is4 ? 12 : 8), ipAt + (is4 ? 20 : 40))),
    dscp: traffic >>> 2,
    ecn: traffic & 3,
    ttl: byte(is4 ? 8 : 7),
    protocol: byte(is4 ? 9 : 6),
    ipFaults: faults,
    l4At: ipAt + (is4 ? 4 * (byte(0) & 0xf) : 40),
  };
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const KINDS = { 6: 'tcp', 17: 'udp' } as const;

function l4View(
  bytes: Uint8Array,
  { protocol, l4At, ipEnd }: IpView,
  layers: readonly AnyLayer[],
): PacketView['l4'] {
  const kind = KINDS[protocol as keyof typeof KINDS] as 'udp' | 'tcp' | undefined;
  if (kind === undefined || l4At + 8 > ipEnd) return undefined;
  const layer: Fields = layers.find((each) => each.kind === kind) ?? {};
  const { length, checksum } = layer;
  return {
    kind,
    at: l4At,
    end: l4At + (kind === 'udp' ? 8 : 4 * ((bytes[l4At + 12] ?? 0) >>> 4)),
    sourcePort: readUint16(bytes, l4At),
    destinationPort: readUint16(bytes, l4At + 2),
    wrong: { ...(length !== undefined && { length }), ...(checksum !== undefined && { checksum }) },
  };
}

function shimView(bytes: Uint8Array, at: number): ShimView {
  const first = bytes[at] ?? 0;
  return {
    at,
    type: first >>> 4,
    npt: (first >>> 2) & 3,
    reserved: first & 3,
    words: bytes[at + 1] ?? 0,
    original: readUint16(bytes, at + 2),
  };
}

function intView(
  bytes: Uint8Array,
  shim: ShimView,
  layers: readonly AnyLayer[],
): IntView | undefined {
  const at = shim.at + SHIM_LENGTH;
  if (bytes.length < at + 12) return undefined;
  const word = readUint32(bytes, at);
  const layer: Fields = layers.find(({ kind }) => kind === 'int-md') ?? {};
  return {
    at,
    end: Math.min(bytes.length, at + 4 * shim.words),
    version: word >>> 28,
    discard: (word & 0x0800_0000) !== 0,
    hopLimitExceeded: (word & 0x0400_0000) !== 0,
    mtuExceeded: (word & 0x0200_0000) !== 0,
    reserved: shim.type === TYPE_MX ? word & 0x07ff_ffff : (word >>> 13) & 0xfff,
    hopWords: (word >>> 8) & 0x1f,
    remainingHops: word & 0xff,
    bitmap: readUint16(bytes, at + 4),
    domainId: readUint16(bytes, at + 6),
    dsInstruction: readUint16(bytes, at + 8),
    dsFlags: readUint16(bytes, at + 10),
    hops: (layer['hops'] ?? []) as readonly Fields[],
  };
}

/** Bytes that a carrier of INT has carried, or would: behind INT, else behind UDP or TCP, or behind IP. */
export function carriedBytes({ bytes, ipEnd, l4, int }: PacketView, behindIp = false): string {
  if (int !== undefined) return hex(bytes.subarray(int.end, ipEnd));
  const from = l4 === undefined ? ipEnd : behindIp ? l4.at : l4.end;
  return hex(bytes.subarray(from, ipEnd));
}

/** Sentence about a transport checksum or length that does not fit; undefined where they do. */
export function l4Fault(
  { l4, family }: PacketView,
  sent: PacketView,
  name: 'length' | 'checksum',
): string | undefined {
  const found = l4?.wrong[name];
  if (found === undefined) return undefined;
  const isNone = name === 'checksum' && found === 0 && l4?.kind === 'udp';
  const cameWithout = sent.l4?.wrong['checksum'] === 0;
  if (isNone && (family === 4 || cameWithout)) return undefined;
  return `${name} ${JSON.stringify(found)} does not fit the packet`;
}
