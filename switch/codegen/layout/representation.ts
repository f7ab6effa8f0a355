/**
 * The one place that decides how a value of a given width is kept:
 *
 *   word    unsigned, up to 32 bits    a cell of a Uint32Array
 *   number  up to 52 bits, any sign    a cell of a Float64Array, exact
 *   pair    unsigned, up to 64 bits    two cells of a Uint32Array: high word, low word
 *   bigint  everything else            an element of an array of bigint
 *
 * So 64-bit counters and timestamps need no bigint, whose every operation allocates.
 */
export type Representation = 'word' | 'number' | 'pair' | 'bigint';

export const WORD_BITS = 32;
export const NUMBER_BITS = 52;
export const PAIR_BITS = 64;

export function representationOf(width: number, signed = false): Representation {
  if (!signed && width <= WORD_BITS) return 'word';
  if (width <= NUMBER_BITS) return 'number';
  if (!signed && width <= PAIR_BITS) return 'pair';
  return 'bigint';
}
