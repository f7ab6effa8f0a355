import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';

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

/** The version is the first reserved field. */
const FIELDS = new FixedFormat<Omit<IntMx, 'sourceMetadata'>>('int-mx', {
  r1: 4,
  discard: 'flag',
  r2: 27,
  instructionBitmap: 16,
  domainId: 16,
  dsInstruction: 16,
  dsFlags: 16,
});

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
  const sourceMetadata = bytes.subarray(offset + INT_MX_HEADER_LENGTH, end);
  return { ...FIELDS.read(bytes, offset), sourceMetadata };
}

export const intMxLength = ({ sourceMetadata }: IntMx): number =>
  INT_MX_HEADER_LENGTH + sourceMetadata.length;

export function emitIntMx(header: IntMx, bytes: Uint8Array, offset: number): void {
  FIELDS.emit(header, bytes, offset);
  bytes[offset] = (bytes[offset] as number) | (VERSION << 4);
  bytes.set(header.sourceMetadata, offset + INT_MX_HEADER_LENGTH);
}
