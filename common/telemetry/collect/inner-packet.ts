import { readUint16, readUint32 } from '../../wire/bytes';
import { ETHERNET_LENGTH, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../wire/ip/ethernet';
import { IPV4_LENGTH, PROTOCOL_TCP, PROTOCOL_UDP, ipv4Fault } from '../../wire/ip/ipv4';
import { IPV6_LENGTH } from '../../wire/ip/ipv6';
import { TCP_LENGTH } from '../../wire/ip/tcp';
import { GENEVE_PORT, VXLAN_GPE_PORT, VXLAN_PORT } from '../../wire/ip/tunnels';
import { UDP_LENGTH } from '../../wire/ip/udp';
import { IFA1_MARKERS } from '../../wire/ifa/ifa1';
import { PATH_SHIM_PORT } from '../../wire/hpcc/path-shim';
import { baselineWords } from '../../wire/int/int-metadata';
import { DEFAULT_DECODE_SETTINGS } from '../decode/decode-settings';

/** Offsets in a TCP or UDP packet that a report holds. */
export interface InnerPacket {
  ipAt: number;
  l4At: number;
  payloadAt: number;
  /** End of the packet, or of what the report has of it. */
  end: number;
  /** The DSCP announces INT, and there is something behind the header. */
  isInt: boolean;
}

interface Contents {
  readonly at: number;
  readonly end: number;
  /** One of {@link INNER_TYPES}. */
  readonly type: number;
  readonly reportPort: number;
}

/** Types of the contents of a report. */
export const INNER_TYPES = { ethernet: 3, ipv4: 4, ipv6: 5 } as const;
const OPTION_END = 0;
const OPTION_NOP = 1;
const SHIM_MD = 1;
const INT_VERSION = 2;
/** Bytes of shim and INT-MD header, behind which the stack is. */
export const STACK_AT = 16;

const { intDscp, intPort, transportPort, rocePort, ccmPort } = DEFAULT_DECODE_SETTINGS;

/** UDP ports behind which telemetry may lie that columns do not hold. */
const OTHER_PORTS: ReadonlySet<number> = new Set([
  intPort,
  transportPort,
  rocePort,
  ccmPort,
  PATH_SHIM_PORT,
  VXLAN_PORT,
  VXLAN_GPE_PORT,
  GENEVE_PORT,
]);

/** Finds IP and TCP or UDP. False for all other packets, and for what the decoder would find damaged. */
export function innerPacketAt(bytes: Uint8Array, contents: Contents, found: InnerPacket): boolean {
  const { at, end, type } = contents;
  found.ipAt = at;
  if (type !== INNER_TYPES.ethernet)
    return readPacket(bytes, contents, type === INNER_TYPES.ipv4, found);
  if (end < at + ETHERNET_LENGTH) return false;
  const etherType = readUint16(bytes, at + 12);
  if (etherType !== ETHERTYPE_IPV4 && etherType !== ETHERTYPE_IPV6) return false;
  found.ipAt = at + ETHERNET_LENGTH;
  return readPacket(bytes, contents, etherType === ETHERTYPE_IPV4, found);
}

function readPacket(
  bytes: Uint8Array,
  { end, reportPort }: Contents,
  isIpv4: boolean,
  found: InnerPacket,
): boolean {
  const at = found.ipAt;
  const fits = isIpv4 ? readIpv4(bytes, at, end, found) : readIpv6(bytes, at, end, found);
  if (!fits) return false;
  const protocol = bytes[at + (isIpv4 ? 9 : 6)] as number;
  if (protocol === PROTOCOL_UDP) return readUdp(bytes, reportPort, found);
  return protocol === PROTOCOL_TCP && readTcp(bytes, found);
}

function readIpv4(bytes: Uint8Array, at: number, end: number, found: InnerPacket): boolean {
  if (end < at + IPV4_LENGTH || bytes[at] !== 0x45) return false;
  if (ipv4Fault(bytes, at, Infinity) !== undefined) return false;
  found.l4At = at + IPV4_LENGTH;
  found.end = Math.min(end, at + readUint16(bytes, at + 2));
  found.isInt = (bytes[at + 1] as number) >>> 2 === intDscp;
  return true;
}

function readIpv6(bytes: Uint8Array, at: number, end: number, found: InnerPacket): boolean {
  if (end < at + IPV6_LENGTH || (bytes[at] as number) >>> 4 !== 6) return false;
  found.l4At = at + IPV6_LENGTH;
  found.end = Math.min(end, at + IPV6_LENGTH + readUint16(bytes, at + 4));
  found.isInt = (readUint16(bytes, at) & 0x0fff) >>> 6 === intDscp;
  return true;
}

function readUdp(bytes: Uint8Array, reportPort: number, found: InnerPacket): boolean {
  const { l4At, end } = found;
  if (end < l4At + UDP_LENGTH || readUint16(bytes, l4At + 4) < UDP_LENGTH) return false;
  const port = readUint16(bytes, l4At + 2);
  if (OTHER_PORTS.has(port) || port === reportPort) return false;
  const at = (found.payloadAt = l4At + UDP_LENGTH);
  found.isInt = found.isInt && end > at;
  return end < at + 4 || readUint32(bytes, at) !== IFA1_MARKERS[0];
}

function readTcp(bytes: Uint8Array, found: InnerPacket): boolean {
  const { l4At, end } = found;
  if (end < l4At + TCP_LENGTH) return false;
  const length = ((bytes[l4At + 12] as number) >>> 4) * 4;
  if (length < TCP_LENGTH || end < l4At + length) return false;
  found.payloadAt = l4At + length;
  found.isInt = found.isInt && end > found.payloadAt;
  return haveOptionsRoom(bytes, l4At + TCP_LENGTH, found.payloadAt);
}

function haveOptionsRoom(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const kind = bytes[at] as number;
    if (kind === OPTION_END) return true;
    const length = kind === OPTION_NOP ? 1 : at + 1 < end ? (bytes[at + 1] as number) : 0;
    if (length < (kind === OPTION_NOP ? 1 : 2) || at + length > end) return false;
    at += length;
  }
  return true;
}

/** The end of an INT-MD stack whose shim is at an offset; -1 where it is none, or one that does not fit. */
export function stackAt(bytes: Uint8Array, at: number, end: number): number {
  if (end < at + STACK_AT || (bytes[at] as number) >>> 4 !== SHIM_MD) return -1;
  const nextProtocolType = ((bytes[at] as number) >>> 2) & 3;
  const stackEnd = at + 4 + 4 * (bytes[at + 1] as number);
  const stackBytes = stackEnd - at - STACK_AT;
  const words = (bytes[at + 6] as number) & 0x1f;
  const isVersion2 = (bytes[at + 4] as number) >>> 4 === INT_VERSION;
  if (nextProtocolType !== 0 || !isVersion2 || words === 0) return -1;
  if (stackEnd > end || stackBytes < 0 || stackBytes % (4 * words) !== 0) return -1;
  return baselineWords(readUint16(bytes, at + 8)) <= words ? stackEnd : -1;
}

/** TTL or hop limit of the IP packet at an offset. */
export const timeToLiveAt = (bytes: Uint8Array, ipAt: number): number =>
  bytes[ipAt + ((bytes[ipAt] as number) >>> 4 === 6 ? 7 : 8)] as number;
