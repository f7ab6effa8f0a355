import { copyOf } from '../bytes';
import { crc32, crc32OfZeros } from '../crc32';
import { WireFault, truncated } from '../fault';
import { PROTOCOL_UDP } from '../ip/ipv4';

/**
 * Invariant CRC of RoCEv2 (InfiniBand architecture, annex A17): CRC-32 of Ethernet over the packet
 * from the IP header to the last byte of padding, with the fields that routers change taken as ones.
 * Telemetry between UDP and BTH is not part of it and must be stripped first.
 */
export const ICRC_LENGTH = 4;

/** The register after the eight 0xff bytes that stand in for the local route header. */
const AFTER_ROUTE_HEADER = 0xdebb20e3;

/** Offsets from the IP header whose bytes count as 0xff, per IP version. */
const MASKED = {
  // Type of service, TTL, header checksum.
  4: { length: 20, protocolAt: 9, bytes: [1, 8, 10, 11] },
  // Traffic class and flow label (all but the version), hop limit.
  6: { length: 40, protocolAt: 6, bytes: [1, 2, 3, 7] },
} as const;

const UDP_CHECKSUM = [6, 7] as const;
const UDP_LENGTH = 8;
const BTH_CONGESTION = 4;
const BTH_LENGTH = 12;

/**
 * The ICRC of the packet whose IP header starts at `ipOffset` and whose ICRC is at `icrcOffset`.
 * Refuses IPv4 options and IPv6 extension headers, which RoCEv2 does not have.
 */
export function computeIcrc(
  bytes: Uint8Array,
  ipOffset: number,
  icrcOffset: number,
): number | WireFault {
  if (bytes.length <= ipOffset) return truncated('icrc', ipOffset, 1, bytes.length);
  const version = (bytes[ipOffset] as number) >>> 4;
  if (version !== 4 && version !== 6) {
    return new WireFault('icrc', ipOffset, `IP version must be 4 or 6, found ${version}`);
  }
  const { length, protocolAt } = MASKED[version];
  const end = Math.min(bytes.length, icrcOffset);
  const need = length + UDP_LENGTH + BTH_LENGTH;
  if (end < ipOffset + need) return truncated('icrc', ipOffset, need, end);
  const plain = version === 6 || bytes[ipOffset] === 0x45;
  if (!plain || bytes[ipOffset + protocolAt] !== PROTOCOL_UDP) {
    return new WireFault('icrc', ipOffset, 'UDP must follow an IP header without options');
  }
  const head = maskedHead(copyOf(bytes, ipOffset, ipOffset + need), version);
  const register = crc32(AFTER_ROUTE_HEADER, head, 0, need);
  return ~crc32(register, bytes, ipOffset + need, end) >>> 0;
}

/** Bytes behind the BTH: stored ones, followed by zeros that are not stored. */
export interface IcrcRest {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly zeros: number;
}

/**
 * The ICRC of a packet that is not in one piece, because telemetry lies in it or its payload is
 * virtual.
 * @param head IPv4 without options or IPv6 without extension headers, UDP and BTH, with the lengths of a
 *   packet without telemetry. Overwritten.
 */
export function icrcOfParts(head: Uint8Array, { bytes, from, to, zeros }: IcrcRest): number {
  const masked = maskedHead(head, (head[0] as number) >>> 4 === 6 ? 6 : 4);
  const afterHead = crc32(AFTER_ROUTE_HEADER, masked, 0, masked.length);
  return ~crc32OfZeros(crc32(afterHead, bytes, from, to), zeros) >>> 0;
}

/** Writes four bytes, the least significant one first. */
export function emitIcrc(icrc: number, bytes: Uint8Array, offset: number): void {
  for (let i = 0; i < ICRC_LENGTH; i++) bytes[offset + i] = icrc >>> (8 * i);
}

export function readIcrc(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = ICRC_LENGTH - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] as number);
  return value;
}

/** IP, UDP and BTH headers with ones in the fields that may change on the way. */
function maskedHead(head: Uint8Array, version: 4 | 6): Uint8Array {
  const { length, bytes: masked } = MASKED[version];
  for (const at of masked) head[at] = 0xff;
  for (const at of UDP_CHECKSUM) head[length + at] = 0xff;
  head[length + UDP_LENGTH + BTH_CONGESTION] = 0xff;
  // The upper half of the traffic class shares its byte with the version, which is not masked.
  if (version === 6) head[0] = 0x6f;
  return head;
}
