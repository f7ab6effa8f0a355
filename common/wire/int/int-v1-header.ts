import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';
import type { IntInstructions } from './int-md-header';

/**
 * INT shim over TCP or UDP, v1.0. Its length counts the shim itself, which later versions do not.
 *
 *     | type 8 | r 8 | length 8, words with the shim | DSCP 6, r 2 |
 */
export const INT_V1_SHIM_LENGTH = 4;
export const INT_V1_TYPE_HOP_BY_HOP = 1;

/** The shim of INT v1.0. */
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

/**
 * INT header of v1.0: no domain, and timestamps of four bytes in the stack; some switches write eight.
 *
 *     | ver 4 = 1 | rep 2 | C 1 | E 1 | M 1 | r 10 | hop ml 5 | remaining hop count 8 |
 *     | instruction bitmap 16 | r 16 |
 *
 * `discard` is C here: the packet is a copy.
 */
export const INT_V1_HEADER_LENGTH = 8;
const VERSION = 1;

/** The header of INT v1.0. */
export interface IntV1Instructions extends IntInstructions {
  /** Rep: 0 none, 1 next hop, 2 next layer: how the packet may be replicated. */
  readonly replication: number;
}

/** The version is the first reserved field. */
const FIELDS = new FixedFormat<IntV1Instructions>('int-v1', {
  r1: 4,
  replication: 2,
  discard: 'flag',
  hopLimitExceeded: 'flag',
  mtuExceeded: 'flag',
  r2: 10,
  hopWords: 5,
  remainingHops: 8,
  instructionBitmap: 16,
  r3: 16,
});

/** Refuses versions other than 1. */
export function parseIntV1Header(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntV1Instructions | WireFault {
  if (end < offset + INT_V1_HEADER_LENGTH) {
    return truncated('int-v1', offset, INT_V1_HEADER_LENGTH, end);
  }
  const first = bytes[offset] as number;
  if (first >>> 4 !== VERSION) {
    return new WireFault('int-v1', offset, `version must be 1, found ${first >>> 4}`);
  }
  return FIELDS.read(bytes, offset);
}

export function emitIntV1Header(
  header: IntV1Instructions,
  bytes: Uint8Array,
  offset: number,
): void {
  FIELDS.emit(header, bytes, offset);
  bytes[offset] = (bytes[offset] as number) | (VERSION << 4);
}
