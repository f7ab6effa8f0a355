import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { checksumWords, finishChecksum, foldChecksum } from './checksum';
import { WireFault, truncated } from '../fault';

/**
 * IPv4 header without options (RFC 791 section 3.1); options are accepted and skipped on parsing.
 *
 *     0        1        2             4
 *     |ver ihl |dscp ecn| total length|
 *     | identification  | flags, frag |
 *     |  ttl   | proto  |  checksum   |
 *     |        source address         |
 *     |      destination address      |
 */
export const IPV4_LENGTH = 20;
export const PROTOCOL_TCP = 6;
export const PROTOCOL_UDP = 17;

/** An address as the header has it, 4 bytes. */
export function ipv4Bytes(address: number): Uint8Array {
  const bytes = new Uint8Array(4);
  writeUint32(bytes, 0, address);
  return bytes;
}

const FIELD = {
  versionIhl: 0,
  dscpEcn: 1,
  totalLength: 2,
  identification: 4,
  fragment: 6,
  ttl: 8,
  protocol: 9,
  checksum: 10,
  source: 12,
  destination: 16,
} as const;

const DONT_FRAGMENT = 0x4000;

/** IPv4 header without options, as it is written. */
export interface Ipv4Header {
  readonly dscp: number;
  readonly ecn: number;
  /** Bytes from the first byte of this header to the end of the datagram. */
  readonly totalLength: number;
  readonly identification: number;
  /** Absent means set: our own datagrams are never fragmented. */
  readonly dontFragment?: boolean;
  readonly ttl: number;
  readonly protocol: number;
  /** Address as an unsigned 32-bit integer. */
  readonly source: number;
  /** Address as an unsigned 32-bit integer. */
  readonly destination: number;
}

/** IPv4 header as it was read, whose options are skipped. */
export interface ParsedIpv4 extends Ipv4Header {
  /** Bytes of this header, options included. */
  readonly headerLength: number;
}

/**
 * @param frameEnd where the frame ends; beyond `bytes.length` when the payload is virtual.
 * Refuses other versions, bad lengths, fragments and a wrong header checksum.
 */
export function parseIpv4(
  bytes: Uint8Array,
  offset: number,
  frameEnd: number,
): ParsedIpv4 | WireFault {
  const fault = ipv4Fault(bytes, offset, frameEnd);
  if (fault !== undefined) return fault;
  const headerLength = ipv4HeaderLength(bytes, offset);
  const totalLength = readUint16(bytes, offset + FIELD.totalLength);
  const dscpEcn = bytes[offset + FIELD.dscpEcn] as number;
  return {
    headerLength,
    dscp: dscpEcn >>> 2,
    ecn: dscpEcn & 3,
    totalLength,
    identification: readUint16(bytes, offset + FIELD.identification),
    dontFragment: ((bytes[offset + FIELD.fragment] as number) & 0x40) !== 0,
    ttl: bytes[offset + FIELD.ttl] as number,
    protocol: bytes[offset + FIELD.protocol] as number,
    source: readUint32(bytes, offset + FIELD.source),
    destination: readUint32(bytes, offset + FIELD.destination),
  };
}

/** Bytes of the header at `offset`, options included, as it says. */
export const ipv4HeaderLength = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] as number) & 0xf) * 4;

/**
 * Fault for which {@link parseIpv4} refuses a header. PERF: for callers that read fields in place.
 */
export function ipv4Fault(
  bytes: Uint8Array,
  offset: number,
  frameEnd: number,
): WireFault | undefined {
  if (bytes.length < offset + IPV4_LENGTH) {
    return truncated('ipv4', offset, IPV4_LENGTH, bytes.length);
  }
  const version = (bytes[offset] as number) >>> 4;
  if (version !== 4) return new WireFault('ipv4', offset, `version must be 4, found ${version}`);
  const headerLength = ipv4HeaderLength(bytes, offset);
  if (headerLength < IPV4_LENGTH) {
    const reason = `header length must be at least 20, found ${headerLength}`;
    return new WireFault('ipv4', offset, reason);
  }
  if (bytes.length < offset + headerLength) {
    return truncated('ipv4', offset, headerLength, bytes.length);
  }
  const totalLength = readUint16(bytes, offset + FIELD.totalLength);
  if (totalLength < headerLength || offset + totalLength > frameEnd) {
    const room = frameEnd - offset;
    const reason = `total length must be ${headerLength} to ${room}, found ${totalLength}`;
    return new WireFault('ipv4', offset + FIELD.totalLength, reason);
  }
  const fragment = readUint16(bytes, offset + FIELD.fragment);
  if ((fragment & ~DONT_FRAGMENT) !== 0) {
    return new WireFault('ipv4', offset + FIELD.fragment, 'fragments are not accepted');
  }
  if (foldChecksum(checksumWords(bytes, offset, offset + headerLength)) !== 0xffff) {
    return new WireFault('ipv4', offset + FIELD.checksum, 'wrong header checksum');
  }
  return undefined;
}

/** The fields of a header that {@link ipv4Fault} finds nothing wrong with. */
export const ipv4Field = {
  dscpEcn: (bytes: Uint8Array, offset: number): number => bytes[offset + FIELD.dscpEcn] as number,
  totalLength: (bytes: Uint8Array, offset: number): number =>
    readUint16(bytes, offset + FIELD.totalLength),
  protocol: (bytes: Uint8Array, offset: number): number => bytes[offset + FIELD.protocol] as number,
  source: (bytes: Uint8Array, offset: number): number => readUint32(bytes, offset + FIELD.source),
  destination: (bytes: Uint8Array, offset: number): number =>
    readUint32(bytes, offset + FIELD.destination),
};

/** Writes the 20-byte header with its checksum. */
export function emitIpv4(header: Ipv4Header, bytes: Uint8Array, offset: number): void {
  bytes[offset] = 0x45;
  bytes[offset + FIELD.dscpEcn] = (header.dscp << 2) | header.ecn;
  writeUint16(bytes, offset + FIELD.totalLength, header.totalLength);
  writeUint16(bytes, offset + FIELD.identification, header.identification);
  writeUint16(bytes, offset + FIELD.fragment, header.dontFragment === false ? 0 : DONT_FRAGMENT);
  bytes[offset + FIELD.ttl] = header.ttl;
  bytes[offset + FIELD.protocol] = header.protocol;
  writeUint16(bytes, offset + FIELD.checksum, 0);
  writeUint32(bytes, offset + FIELD.source, header.source);
  writeUint32(bytes, offset + FIELD.destination, header.destination);
  const sum = checksumWords(bytes, offset, offset + IPV4_LENGTH);
  writeUint16(bytes, offset + FIELD.checksum, finishChecksum(sum));
}
