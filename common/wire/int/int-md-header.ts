import { readUint16, writeUint16 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * INT-MD header of v2.0 and v2.1, for any instruction set ("INT-MD Metadata Header Format").
 *
 *     | ver 4 | D E M | r 12 | hop ml 5 | remaining hop count 8 |
 *     | instruction bitmap 16           | domain specific id 16 |
 *     | ds instruction 16               | ds flags 16           |
 */
export const INT_MD_HEADER_LENGTH = 12;
const INT_VERSION_2 = 2;

/** The same for every version that has a stack. */
export interface IntInstructions {
  /** D: the sink discards the packet after extraction. */
  readonly discard: boolean;
  /** E: a node could not push because the remaining hop count was zero. */
  readonly hopLimitExceeded: boolean;
  /** M: a node could not push because its egress MTU would have been exceeded. */
  readonly mtuExceeded: boolean;
  /** Words that each node pushes. */
  readonly hopWords: number;
  readonly remainingHops: number;
  readonly instructionBitmap: number;
}

/** The INT-MD header. */
export interface IntMdInstructions extends IntInstructions {
  readonly domainId: number;
  readonly dsInstruction: number;
  readonly dsFlags: number;
}

/** Refuses versions other than 2. */
export function parseIntMdHeader(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntMdInstructions | WireFault {
  if (end < offset + INT_MD_HEADER_LENGTH) {
    return truncated('int-md', offset, INT_MD_HEADER_LENGTH, end);
  }
  const first = bytes[offset] as number;
  if (first >>> 4 !== INT_VERSION_2) {
    return new WireFault('int-md', offset, `version must be 2, found ${first >>> 4}`);
  }
  return {
    discard: (first & 0x8) !== 0,
    hopLimitExceeded: (first & 0x4) !== 0,
    mtuExceeded: (first & 0x2) !== 0,
    hopWords: (bytes[offset + 2] as number) & 0x1f,
    remainingHops: bytes[offset + 3] as number,
    instructionBitmap: readUint16(bytes, offset + 4),
    domainId: readUint16(bytes, offset + 6),
    dsInstruction: readUint16(bytes, offset + 8),
    dsFlags: readUint16(bytes, offset + 10),
  };
}

export function emitIntMdHeader(
  header: IntMdInstructions,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset] =
    (INT_VERSION_2 << 4) |
    (header.discard ? 0x8 : 0) |
    (header.hopLimitExceeded ? 0x4 : 0) |
    (header.mtuExceeded ? 0x2 : 0);
  bytes[offset + 1] = 0;
  bytes[offset + 2] = header.hopWords;
  bytes[offset + 3] = header.remainingHops;
  writeUint16(bytes, offset + 4, header.instructionBitmap);
  writeUint16(bytes, offset + 6, header.domainId);
  writeUint16(bytes, offset + 8, header.dsInstruction);
  writeUint16(bytes, offset + 10, header.dsFlags);
}
