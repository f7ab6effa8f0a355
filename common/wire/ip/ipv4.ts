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
  if (bytes.length < offset + IPV4_LENGTH) {
    return truncated('ipv4', offset, IPV4_LENGTH, bytes.length);
  }
  const versionIhl = bytes[offset] as number;
  const headerLength = (versionIhl & 0xf) * 4;
  const totalLength = readUint16(bytes, offset + FIELD.totalLength);
  const fault = checkIpv4(bytes, offset, { versionIhl, headerLength, totalLength, frameEnd });
  if (fault !== undefined) return fault;
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

interface Lengths {
  readonly versionIhl: number;
  readonly headerLength: number;
  readonly totalLength: number;
  readonly frameEnd: number;
}

function checkIpv4(bytes: Uint8Array, offset: number, is: Lengths): WireFault | undefined {
  if (is.versionIhl >>> 4 !== 4) {
    return new WireFault('ipv4', offset, `version must be 4, found ${is.versionIhl >>> 4}`);
  }
  if (is.headerLength < IPV4_LENGTH) {
    return new WireFault(
      'ipv4',
      offset,
      `header length must be at least 20, found ${is.headerLength}`,
    );
  }
  if (bytes.length < offset + is.headerLength) {
    return truncated('ipv4', offset, is.headerLength, bytes.length);
  }
  if (is.totalLength < is.headerLength || offset + is.totalLength > is.frameEnd) {
    const room = is.frameEnd - offset;
    return new WireFault(
      'ipv4',
      offset + FIELD.totalLength,
      `total length must be ${is.headerLength} to ${room}, found ${is.totalLength}`,
    );
  }
  const fragment = readUint16(bytes, offset + FIELD.fragment);
  if ((fragment & ~DONT_FRAGMENT) !== 0) {
    return new WireFault('ipv4', offset + FIELD.fragment, 'fragments are not accepted');
  }
  if (foldChecksum(checksumWords(bytes, offset, offset + is.headerLength)) !== 0xffff) {
    return new WireFault('ipv4', offset + FIELD.checksum, 'wrong header checksum');
  }
  return undefined;
}

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
