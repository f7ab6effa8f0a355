import { WireFault, truncated } from '../fault';

/**
 * IFA 2 header, between IP and the original transport header.
 *
 *     | version 4 | GNS 4 | next header 8 | r 3, MF TS I TA C | max length 8, words |
 */
export const IFA_HEADER_LENGTH = 4;

export const IFA_FLAG_FRAGMENTED = 0x10;
export const IFA_FLAG_TAIL_STAMP = 0x08;
/** Real traffic carries the metadata; without it the packet is a clone. */
export const IFA_FLAG_IN_BAND = 0x04;
export const IFA_FLAG_TURN_AROUND = 0x02;
export const IFA_FLAG_CHECKSUM = 0x01;

const FLAGS = 0x1f;

export interface IfaHeader {
  /** 2, or the 3 that one implementation of draft -08 writes. */
  readonly version: number;
  /** Global namespace; 0xf when each record names its own format. */
  readonly globalNamespace: number;
  /** The IP protocol before IFA. */
  readonly nextHeader: number;
  /** Sum of IFA_FLAG_*. */
  readonly flags: number;
  /** Words of metadata allowed. */
  readonly wordsMax: number;
}

/** Refuses versions other than 2 and 3. */
export function parseIfaHeader(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IfaHeader | WireFault {
  if (end < offset + IFA_HEADER_LENGTH) return truncated('ifa', offset, IFA_HEADER_LENGTH, end);
  const first = bytes[offset] as number;
  const version = first >>> 4;
  if (version !== 2 && version !== 3) {
    return new WireFault('ifa', offset, `version must be 2 or 3, found ${version}`);
  }
  return {
    version,
    globalNamespace: first & 0xf,
    nextHeader: bytes[offset + 1] as number,
    flags: (bytes[offset + 2] as number) & FLAGS,
    wordsMax: bytes[offset + 3] as number,
  };
}

export function emitIfaHeader(header: IfaHeader, bytes: Uint8Array, offset: number): void {
  bytes[offset] = (header.version << 4) | header.globalNamespace;
  bytes[offset + 1] = header.nextHeader;
  bytes[offset + 2] = header.flags;
  bytes[offset + 3] = header.wordsMax;
}
