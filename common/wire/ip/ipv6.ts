import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * IPv6 header (RFC 8200 section 3).
 *
 *     0        4                 8                24                40
 *     | ver 4, traffic class 8, flow label 20      |
 *     | payload length 16 | next header | hop limit |
 *     | source address 128        | destination address 128 |
 */
export const IPV6_LENGTH = 40;
export const NEXT_HOP_BY_HOP = 0;
export const NEXT_DESTINATION_OPTIONS = 60;

const FIELD = { payloadLength: 4, nextHeader: 6, hopLimit: 7, source: 8, destination: 24 } as const;

/** An address as four words, the first bits first. */
export type Ipv6Address = readonly [number, number, number, number];

export interface Ipv6Header {
  readonly trafficClass: number;
  readonly flowLabel: number;
  /** Bytes after this header. */
  readonly payloadLength: number;
  readonly nextHeader: number;
  readonly hopLimit: number;
  readonly source: Ipv6Address;
  readonly destination: Ipv6Address;
}

/** Refuses other versions, and a payload that reaches beyond `end`. */
export function parseIpv6(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): Ipv6Header | WireFault {
  if (end < offset + IPV6_LENGTH) return truncated('ipv6', offset, IPV6_LENGTH, end);
  const first = readUint32(bytes, offset);
  if (first >>> 28 !== 6) {
    return new WireFault('ipv6', offset, `version must be 6, found ${first >>> 28}`);
  }
  const payloadLength = readUint16(bytes, offset + FIELD.payloadLength);
  if (end < offset + IPV6_LENGTH + payloadLength) {
    return truncated('ipv6', offset, IPV6_LENGTH + payloadLength, end);
  }
  return {
    trafficClass: (first >>> 20) & 0xff,
    flowLabel: first & 0xfffff,
    payloadLength,
    nextHeader: bytes[offset + FIELD.nextHeader] as number,
    hopLimit: bytes[offset + FIELD.hopLimit] as number,
    source: readAddress(bytes, offset + FIELD.source),
    destination: readAddress(bytes, offset + FIELD.destination),
  };
}

export function emitIpv6(header: Ipv6Header, bytes: Uint8Array, offset: number): void {
  const first = 0x60000000 + header.trafficClass * 0x100000 + header.flowLabel;
  writeUint32(bytes, offset, first);
  writeUint16(bytes, offset + FIELD.payloadLength, header.payloadLength);
  bytes[offset + FIELD.nextHeader] = header.nextHeader;
  bytes[offset + FIELD.hopLimit] = header.hopLimit;
  header.source.forEach((word, i) => writeUint32(bytes, offset + FIELD.source + 4 * i, word));
  header.destination.forEach((word, i) =>
    writeUint32(bytes, offset + FIELD.destination + 4 * i, word),
  );
}

const readAddress = (bytes: Uint8Array, at: number): Ipv6Address => [
  readUint32(bytes, at),
  readUint32(bytes, at + 4),
  readUint32(bytes, at + 8),
  readUint32(bytes, at + 12),
];
