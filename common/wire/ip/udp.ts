import { readUint16, writeUint16 } from '../bytes';
import { checksumWords, finishChecksum, foldChecksum } from './checksum';
import { WireFault, truncated } from '../fault';
import { PROTOCOL_UDP } from './ipv4';

/**
 * UDP header (RFC 768).
 *
 *     0             2             4             6             8
 *     | source port | dest. port  |   length    |  checksum   |
 */
export const UDP_LENGTH = 8;

const FIELD = { source: 0, destination: 2, length: 4, checksum: 6 } as const;

/** UDP header besides its checksum. */
export interface UdpHeader {
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Bytes of this header and its payload. */
  readonly length: number;
}

/** Offset of a UDP datagram, with the addresses of its pseudo-header. */
export interface UdpContext {
  readonly source: number;
  readonly destination: number;
  /** Offset of the UDP header in the frame. */
  readonly offset: number;
  /** End of the IP datagram; beyond `bytes.length` when the payload is virtual zeros. */
  readonly end: number;
  /** Bytes behind this header of which neither its length nor its checksum knows. Default 0. */
  readonly gap?: number;
  /** In IPv6: the sum of the words of both addresses before their last 32 bits. Default: IPv4. */
  readonly prefixSum?: number | undefined;
}

/**
 * Refuses a length that does not fit the datagram and, unless it is zero, a wrong checksum.
 * A virtual payload is zero and adds nothing to the sum, so the check holds for it too.
 */
export function parseUdp(bytes: Uint8Array, context: UdpContext): UdpHeader | WireFault {
  const fault = udpFault(bytes, context);
  if (fault !== undefined) return fault;
  const { offset } = context;
  return {
    sourcePort: readUint16(bytes, offset + FIELD.source),
    destinationPort: readUint16(bytes, offset + FIELD.destination),
    length: readUint16(bytes, offset + FIELD.length),
  };
}

/**
 * Fault for which {@link parseUdp} refuses a header. PERF: for callers that read fields in place.
 */
export function udpFault(bytes: Uint8Array, context: UdpContext): WireFault | undefined {
  const { offset, end, gap = 0, prefixSum } = context;
  if (bytes.length < offset + UDP_LENGTH) {
    return truncated('udp', offset, UDP_LENGTH, bytes.length);
  }
  const length = readUint16(bytes, offset + FIELD.length);
  if (length < UDP_LENGTH || offset + gap + length > end) {
    const reason = `length must be 8 to ${end - gap - offset}, found ${length}`;
    return new WireFault('udp', offset + FIELD.length, reason);
  }
  // RFC 8200 section 8.1: in IPv6 there is no datagram without a checksum.
  if (readUint16(bytes, offset + FIELD.checksum) !== 0 || prefixSum !== undefined) {
    const sum = udpSum(bytes, context, length);
    if (foldChecksum(sum) !== 0xffff) {
      return new WireFault('udp', offset + FIELD.checksum, 'wrong checksum');
    }
  }
  return undefined;
}

/** The fields of a header that {@link udpFault} finds nothing wrong with. */
export const udpField = {
  sourcePort: (bytes: Uint8Array, offset: number): number =>
    readUint16(bytes, offset + FIELD.source),
  destinationPort: (bytes: Uint8Array, offset: number): number =>
    readUint16(bytes, offset + FIELD.destination),
  length: (bytes: Uint8Array, offset: number): number => readUint16(bytes, offset + FIELD.length),
  checksum: (bytes: Uint8Array, offset: number): number =>
    readUint16(bytes, offset + FIELD.checksum),
};

/** UDP header whose checksum is a field like others. */
export interface RawUdpHeader extends UdpHeader {
  /** As it is stored; 0 when there is none. */
  readonly checksum: number;
}

/**
 * Reads the header alone: for captures, where whatever lies under a wrong checksum is of interest,
 * and for IPv6. Refuses a length that does not fit.
 */
export function parseUdpHeader(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): RawUdpHeader | WireFault {
  if (end < offset + UDP_LENGTH) return truncated('udp', offset, UDP_LENGTH, end);
  const length = readUint16(bytes, offset + FIELD.length);
  if (length < UDP_LENGTH || offset + length > end) {
    const reason = `length must be 8 to ${end - offset}, found ${length}`;
    return new WireFault('udp', offset + FIELD.length, reason);
  }
  return {
    sourcePort: readUint16(bytes, offset + FIELD.source),
    destinationPort: readUint16(bytes, offset + FIELD.destination),
    length,
    checksum: readUint16(bytes, offset + FIELD.checksum),
  };
}

/** Writes the header with the checksum that it names. */
export function emitUdpHeader(header: RawUdpHeader, bytes: Uint8Array, offset: number): void {
  writeUint16(bytes, offset + FIELD.source, header.sourcePort);
  writeUint16(bytes, offset + FIELD.destination, header.destinationPort);
  writeUint16(bytes, offset + FIELD.length, header.length);
  writeUint16(bytes, offset + FIELD.checksum, header.checksum);
}

/** Writes the header; the checksum covers the payload that is already in `bytes`. */
export function emitUdp(header: UdpHeader, bytes: Uint8Array, context: UdpContext): void {
  const { offset } = context;
  writeUint16(bytes, offset + FIELD.source, header.sourcePort);
  writeUint16(bytes, offset + FIELD.destination, header.destinationPort);
  writeUint16(bytes, offset + FIELD.length, header.length);
  writeUint16(bytes, offset + FIELD.checksum, 0);
  const checksum = finishChecksum(udpSum(bytes, context, header.length));
  // RFC 768: a computed zero is sent as all ones, because zero means "no checksum".
  writeUint16(bytes, offset + FIELD.checksum, checksum === 0 ? 0xffff : checksum);
}

function udpSum(bytes: Uint8Array, context: UdpContext, length: number): number {
  const { source, destination, offset, gap = 0, prefixSum = 0 } = context;
  const stored = Math.min(bytes.length, offset + gap + length);
  // The checksum excludes the gap, which begins and ends at word boundaries.
  const uncounted =
    gap === 0 ? 0 : checksumWords(bytes, offset + UDP_LENGTH, offset + UDP_LENGTH + gap);
  return (
    prefixSum -
    uncounted +
    (source >>> 16) +
    (source & 0xffff) +
    (destination >>> 16) +
    (destination & 0xffff) +
    PROTOCOL_UDP +
    length +
    checksumWords(bytes, offset, stored)
  );
}
