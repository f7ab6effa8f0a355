const NONE = -1;
const BITS = 32;
/** Bits of a word, as a shift and as a mask. */
const SHIFT = 5;
const LOW = BITS - 1;

/**
 * Set of the occupied ones among many buckets in a circle.
 *
 * PERF: a bitmap with a second one of its words that are not 0: the next occupied bucket is found in
 * a few steps even if thousands of empty ones lie before it.
 */
export class OccupiedBuckets {
  readonly #words: Int32Array;
  readonly #summary: Int32Array;

  /** @param buckets a power of two, 1024 or more. */
  constructor(buckets: number) {
    this.#words = new Int32Array(buckets >> SHIFT);
    this.#summary = new Int32Array(buckets >> (2 * SHIFT));
  }

  add(bucket: number): void {
    const word = bucket >> SHIFT;
    this.#words[word] = (this.#words[word] as number) | (1 << (bucket & LOW));
    const group = word >> SHIFT;
    this.#summary[group] = (this.#summary[group] as number) | (1 << (word & LOW));
  }

  remove(bucket: number): void {
    const word = bucket >> SHIFT;
    const left = (this.#words[word] as number) & ~(1 << (bucket & LOW));
    this.#words[word] = left;
    if (left !== 0) return;
    const group = word >> SHIFT;
    this.#summary[group] = (this.#summary[group] as number) & ~(1 << (word & LOW));
  }

  /** The first occupied bucket from `start` on, around the circle, or -1 when all are empty. */
  from(start: number): number {
    const word = start >> SHIFT;
    const here = (this.#words[word] as number) & (-1 << (start & LOW));
    if (here !== 0) return (word << SHIFT) + lowestBit(here);
    const next = this.#wordAfter(word);
    if (next === NONE) return NONE;
    return (next << SHIFT) + lowestBit(this.#words[next] as number);
  }

  /** The next word that is not 0, at last `word` itself. */
  #wordAfter(word: number): number {
    const group = word >> SHIFT;
    const above = (this.#summary[group] as number) & (-2 << (word & LOW));
    if (above !== 0) return (group << SHIFT) + lowestBit(above);
    for (let step = 1; step <= this.#summary.length; step++) {
      const other = (group + step) & (this.#summary.length - 1);
      const bits = this.#summary[other] as number;
      if (bits !== 0) return (other << SHIFT) + lowestBit(bits);
    }
    return NONE;
  }
}

/** Position of the lowest bit of a word that is not 0. */
const lowestBit = (word: number): number => LOW - Math.clz32(word & -word);
