const FIRST_CELLS = 4;
/** A cell has a word and its members; without members it is empty. */
const CELL = 2;

/**
 * Sets of up to 32 members by words of 32 bits, in an array of numbers: open addressing, at most half
 * full. PERF: a third of what a Map takes.
 */
export class BitCells {
  #cells = new Int32Array(CELL * FIRST_CELLS);
  #last = FIRST_CELLS - 1;
  #size = 0;

  /** Number of words that have members. */
  get size(): number {
    return this.#size;
  }

  /** The members, each as a bit. */
  get(key: number): number {
    const cells = this.#cells;
    const last = this.#last;
    for (let at = scattered(key) & last; ; at = (at + 1) & last) {
      const bits = cells[CELL * at + 1] as number;
      if (bits === 0 || cells[CELL * at] === key) return bits;
    }
  }

  add(key: number, bit: number): void {
    if (2 * (this.#size + 1) > this.#last + 1) this.#rebuild(-1);
    this.#put(key, bit);
  }

  /** Takes a member out of all sets. */
  forget(bit: number): void {
    this.#rebuild(~bit);
  }

  #put(key: number, bits: number): void {
    const cells = this.#cells;
    let at = scattered(key) & this.#last;
    while (cells[CELL * at + 1] !== 0 && cells[CELL * at] !== key) at = (at + 1) & this.#last;
    if (cells[CELL * at + 1] === 0) this.#size += 1;
    cells[CELL * at] = key;
    cells[CELL * at + 1] = (cells[CELL * at + 1] as number) | bits;
  }

  /** Keeps some members, in four times as many cells as there are words. */
  #rebuild(kept: number): void {
    const old = this.#cells;
    let count = FIRST_CELLS;
    while (count < 4 * this.#size) count *= 2;
    this.#cells = new Int32Array(CELL * count);
    this.#last = count - 1;
    this.#size = 0;
    for (let at = 0; at < old.length; at += CELL) {
      const left = (old[at + 1] as number) & kept;
      if (left !== 0) this.#put(old[at] as number, left);
    }
  }
}

/** Low bits of the result depend on all bits given. */
export function scattered(word: number): number {
  const mixed = Math.imul(word ^ (word >>> 15), 0x9e37_79b1);
  return mixed ^ (mixed >>> 15);
}
