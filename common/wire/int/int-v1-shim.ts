import { WireFault, truncated } from '../fault';

/**
 * INT shim over TCP or UDP, v1.0. Its length counts the shim itself, which later versions do not.
 *
 *     | type 8 | r 8 | length 8, words with the shim | DSCP 6, r 2 |
 */
export const INT_V1_SHIM_LENGTH = 4;
export const INT_V1_TYPE_HOP_BY_HOP = 1;

export interface IntV1Shim {
  /** Words of shim, header and stack. */
  readonly words: number;
  readonly originalDscp: number;
}

/** Refuses types other than 1 (hop by hop). */
export function parseIntV1Shim(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntV1Shim | WireFault {
  if (end < offset + INT_V1_SHIM_LENGTH) {
    return truncated('int-v1-shim', offset, INT_V1_SHIM_LENGTH, end);
  }
  const type = bytes[offset] as number;
  if (type !== INT_V1_TYPE_HOP_BY_HOP) {
    return new WireFault('int-v1-shim', offset, `type must be 1, found ${type}`);
  }
  const words = bytes[offset + 2] as number;
  if (end < offset + 4 * words) return truncated('int-v1-shim', offset, 4 * words, end);
  return { words, originalDscp: (bytes[offset + 3] as number) >>> 2 };
}

export function emitIntV1Shim(shim: IntV1Shim, bytes: Uint8Array, offset: number): void {
  bytes[offset] = INT_V1_TYPE_HOP_BY_HOP;
  bytes[offset + 1] = 0;
  bytes[offset + 2] = shim.words;
  bytes[offset + 3] = shim.originalDscp << 2;
}
