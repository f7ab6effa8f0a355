import { readUint16, writeUint16 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * INT-MX header, v2.1 ("INT-MX Header Format"): it never grows, nodes report by themselves.
 *
 *     | ver 4 | D 1 | r 27 |
 *     | instruction bitmap 16 | domain specific id 16 |
 *     | ds instruction 16     | ds flags 16           |
 *     | ds metadata of the source, to the shim's length |
 */
const INT_MX_HEADER_LENGTH = 12;
const VERSION = 2;

/** The INT-MX header. */
export interface IntMx {
  readonly discard: boolean;
  readonly instructionBitmap: number;
  readonly domainId: number;
  readonly dsInstruction: number;
  readonly dsFlags: number;
  /** Domain-specific metadata that the source inserted. */
  readonly sourceMetadata: Uint8Array;
}

/** Reads a header that fills the bytes from `offset` to `end`; refuses versions other than 2. */
export function parseIntMx(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntMx | WireFault {
  if (end < offset + INT_MX_HEADER_LENGTH) {
    return truncated('int-mx', offset, INT_MX_HEADER_LENGTH, end);
  }
  const first = bytes[offset] as number;
  if (first >>> 4 !== VERSION) {
    return new WireFault('int-mx', offset, `version must be 2, found ${first >>> 4}`);
  }
  return {
    discard: (first & 0x8) !== 0,
    instructionBitmap: readUint16(bytes, offset + 4),
    domainId: readUint16(bytes, offset + 6),
    dsInstruction: readUint16(bytes, offset + 8),
    dsFlags: readUint16(bytes, offset + 10),
    sourceMetadata: bytes.subarray(offset + INT_MX_HEADER_LENGTH, end),
  };
}

export const intMxLength = ({ sourceMetadata }: IntMx): number =>
  INT_MX_HEADER_LENGTH + sourceMetadata.length;

export function emitIntMx(header: IntMx, bytes: Uint8Array, offset: number): void {
  writeUint16(bytes, offset, (VERSION << 12) | (header.discard ? 0x800 : 0));
  writeUint16(bytes, offset + 2, 0);
  writeUint16(bytes, offset + 4, header.instructionBitmap);
  writeUint16(bytes, offset + 6, header.domainId);
  writeUint16(bytes, offset + 8, header.dsInstruction);
  writeUint16(bytes, offset + 10, header.dsFlags);
  bytes.set(header.sourceMetadata, offset + INT_MX_HEADER_LENGTH);
}
