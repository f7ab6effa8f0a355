import { readUint16, readUint32 } from '../../wire/bytes';
import { LINK_ETHERNET } from '../../wire/capture/link-type';
import { PROTOCOL_TCP, PROTOCOL_UDP } from '../../wire/ip/ipv4';
import { PROTOCOL_GRE } from '../../wire/ip/tunnels';
import { INT_TYPE_MX } from '../../wire/int/int-shim';
import { dissectFrame } from '../craft/kinds';
import type { AnyLayer, Fields } from '../craft/layer';
import { DEFAULT_DECODE_SETTINGS } from '../decode/decode-settings';
import type { DecodeSettings } from '../decode/decode-settings';
import { announcedShim, shimView, tunnelView } from './shim-view';
import type { L4View, ShimView, TunnelView } from './shim-view';

/** Code points by which a domain announces INT; the project's own unless given. */
export type JudgeSettings = Partial<DecodeSettings> & {
  /** Namespace of IOAM that a node under test knows. */
  readonly ioamNamespace?: number;
};

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

/** An IP packet with or without INT, in the terms of the specification. */
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
  readonly l4?: L4View;
  readonly tunnel?: TunnelView;
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

/**
 * Reads a frame; undefined where it has no IP header.
 * @param like the packet that it was before: INT is found where that has it, though nothing may announce it any more.
 */
export function viewPacket(
  bytes: Uint8Array,
  settings: JudgeSettings = {},
  like?: PacketView,
): PacketView | undefined {
  const tagged = bytes.length > 18 && readUint16(bytes, ETHERTYPE_AT) === VLAN;
  const ipAt = tagged ? 18 : 14;
  if (bytes.length < ipAt + 20) return undefined;
  const etherType = readUint16(bytes, ipAt - 2);
  if (etherType !== IPV4 && (etherType !== IPV6 || bytes.length < ipAt + 40)) return undefined;
  const { layers } = dissectFrame(bytes, LINK_ETHERNET, settings);
  const ip = withTrailer(ipView(bytes, ipAt, etherType === IPV4 ? 4 : 6, layers), like);
  const l4 = l4View(bytes, ip, layers, like);
  if (l4 === undefined) return { ...ip, hasMarker: false };
  const tunnel = tunnelView(bytes, l4, ip.ipEnd);
  const parts = { ...ip, l4, ...(tunnel && { tunnel }) };
  const whole = { ...DEFAULT_DECODE_SETTINGS, ...settings };
  const place =
    announcedShim({ bytes, end: ip.ipEnd, dscp: ip.dscp, l4, tunnel }, whole) ??
    unannounced(bytes, ip.ipAt, like);
  if (place === undefined || place.at + SHIM_LENGTH > ip.ipEnd)
    return { ...parts, hasMarker: false };
  const shim = shimView(bytes, place);
  const int = intView(bytes, shim, layers);
  const hasMarker = shim.carrier === 'l4' && shim.at === l4.end + MARKER_LENGTH;
  return { ...parts, hasMarker, shim, ...(int && { int }) };
}

/** The place where a packet had INT, if it still has the same type, version and instructions there. */
function unannounced(bytes: Uint8Array, ipAt: number, like: PacketView | undefined) {
  if (like?.shim === undefined || like.int === undefined) return undefined;
  const at = like.shim.at - like.ipAt + ipAt;
  const kept = (from: Uint8Array, shimAt: number): string =>
    `${(from[shimAt] ?? 0) >>> 4} ${(from[shimAt + 4] ?? 0) >>> 4} ${hex(from.subarray(shimAt + 8, shimAt + 10))}`;
  const isThere = kept(bytes, at) === kept(like.bytes, like.shim.at);
  return isThere ? { carrier: like.shim.carrier, at } : undefined;
}

type IpView = Omit<PacketView, 'l4' | 'tunnel' | 'shim' | 'int' | 'hasMarker'> & {
  readonly l4At: number;
};

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

/** Least frame of Ethernet, to which shorter ones are padded. */
const LEAST_FRAME = 60;

/** Adds the fault that bytes follow the IP packet, which neither came nor are padding: its length does not count them. */
function withTrailer(ip: IpView, like: PacketView | undefined): IpView {
  const behind = ip.bytes.length - ip.ipEnd;
  const allowed = like === undefined ? behind : like.bytes.length - like.ipEnd;
  if (behind <= Math.max(allowed, LEAST_FRAME - ip.ipEnd)) return ip;
  const field = ip.family === 4 ? 'totalLength' : 'payloadLength';
  return { ...ip, ipFaults: [...ip.ipFaults, `${field} leaves ${behind} bytes of the frame out`] };
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const KINDS: ReadonlyMap<number, L4View['kind']> = new Map([
  [PROTOCOL_TCP, 'tcp'],
  [PROTOCOL_UDP, 'udp'],
  [PROTOCOL_GRE, 'gre'],
]);

function l4View(
  bytes: Uint8Array,
  { protocol, l4At, ipEnd }: IpView,
  layers: readonly AnyLayer[],
  like: PacketView | undefined,
): L4View | undefined {
  const kind = KINDS.get(protocol) ?? like?.l4?.kind;
  if (kind === undefined || l4At + 8 > ipEnd) return undefined;
  const layer: Fields = layers.find((each) => each.kind === kind) ?? {};
  const { length, checksum } = layer;
  const hasPorts = kind !== 'gre';
  return {
    kind,
    at: l4At,
    end: l4At + l4Length(bytes, kind, l4At),
    sourcePort: hasPorts ? readUint16(bytes, l4At) : 0,
    destinationPort: hasPorts ? readUint16(bytes, l4At + 2) : 0,
    wrong: { ...(length !== undefined && { length }), ...(checksum !== undefined && { checksum }) },
  };
}

/** Bits of GRE by which its checksum, key and sequence number are there. */
const GRE_WORDS: readonly number[] = [0x80, 0x20, 0x10];

function l4Length(bytes: Uint8Array, kind: L4View['kind'], at: number): number {
  if (kind === 'udp') return 8;
  if (kind === 'tcp') return 4 * ((bytes[at + 12] ?? 0) >>> 4);
  return 4 + 4 * GRE_WORDS.filter((bit) => ((bytes[at] ?? 0) & bit) !== 0).length;
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
    reserved: shim.type === INT_TYPE_MX ? word & 0x07ff_ffff : (word >>> 13) & 0xfff,
    hopWords: (word >>> 8) & 0x1f,
    remainingHops: word & 0xff,
    bitmap: readUint16(bytes, at + 4),
    domainId: readUint16(bytes, at + 6),
    dsInstruction: readUint16(bytes, at + 8),
    dsFlags: readUint16(bytes, at + 10),
    hops: (layer['hops'] ?? []) as readonly Fields[],
  };
}

/**
 * Bytes that a carrier of INT has carried: behind INT, or in a packet without where they stand if `shim` tells how
 * the other packet carries it.
 */
export function carriedBytes(
  { bytes, ipAt, ipEnd, l4, tunnel, shim: own, int }: PacketView,
  shim = own,
): string {
  if (int !== undefined) {
    const carried = bytes.subarray(int.end, ipEnd);
    return hex(isPacket(shim) ? withoutHop(carried) : carried);
  }
  if (isPacket(shim)) return hex(withoutHop(bytes.subarray(ipAt, ipEnd)));
  if (l4 === undefined) return hex(bytes.subarray(ipEnd, ipEnd));
  const isBehindTunnel = shim?.carrier === 'vxlan-gpe' || shim?.carrier === 'geneve';
  const from = shim?.added === true && shim.carrier === 'l4' ? l4.at : l4.end;
  return hex(bytes.subarray(isBehindTunnel ? (tunnel?.end ?? from) : from, ipEnd));
}

/** INT behind a GRE header that the source has added carries a whole IP packet. */
const isPacket = (shim: ShimView | undefined): boolean => shim?.carrier === 'gre' && shim.added;

/** An IP packet with TTL and checksum of IPv4, or hop limit, that are those of any place on its way. */
export function withoutHop(packet: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(packet);
  if ((copy[0] ?? 0) >>> 4 === 6) copy.fill(0, 7, 8);
  else {
    copy.fill(0, 8, 9);
    copy.fill(0, 10, 12);
  }
  return copy;
}

/** Header of UDP, TCP or GRE but for lengths, checksums and what tells INT: ports, fields of TCP, key of GRE. */
export function l4Header({ bytes, l4, tunnel }: PacketView): string {
  if (l4 === undefined) return 'none';
  if (l4.kind === 'gre') return tunnel?.rest ?? 'none';
  if (l4.kind === 'udp') return `${l4.sourcePort} ${l4.destinationPort} ${tunnel?.rest ?? ''}`;
  return hex(bytes.subarray(l4.at, l4.at + 16)) + hex(bytes.subarray(l4.at + 18, l4.end));
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
