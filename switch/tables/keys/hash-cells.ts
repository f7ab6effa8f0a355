const FIRST_CELLS = 4;
/** A cell has a hash and the number of a value. */
const CELL = 2;
const EMPTY = 0;
const LEFT = -1;

/**
 * Values by hashes that are whole already, in an array without objects: open addressing, at most half
 * full. PERF: a hash that is not there costs one or two reads, a third of what a Map takes.
 */
export class HashCells<Value> {
  #cells = new Int32Array(CELL * FIRST_CELLS);
  #mask = FIRST_CELLS - 1;
  /** Cells that are not empty, those that values have left among them. */
  #used = 0;
  /** Values by number; 0 is none. */
  readonly #values: (Value | undefined)[] = [undefined];
  readonly #freeNumbers: number[] = [];

  get(hash: number): Value | undefined {
    const cells = this.#cells;
    for (let at = hash & this.#mask; ; at = (at + 1) & this.#mask) {
      const number = cells[CELL * at + 1] as number;
      if (number === EMPTY) return undefined;
      if (cells[CELL * at] === hash && number !== LEFT) return this.#values[number];
    }
  }

  /** Adds a value under a hash that has none. */
  add(hash: number, value: Value): void {
    if (CELL * (this.#used + 1) > this.#mask + 1) this.#rebuild();
    const number = this.#freeNumbers.pop() ?? this.#values.length;
    this.#values[number] = value;
    this.#put(hash, number);
  }

  delete(hash: number): void {
    for (let at = hash & this.#mask; ; at = (at + 1) & this.#mask) {
      const number = this.#cells[CELL * at + 1] as number;
      if (number === EMPTY) return;
      if (this.#cells[CELL * at] !== hash || number === LEFT) continue;
      this.#cells[CELL * at + 1] = LEFT;
      this.#values[number] = undefined;
      this.#freeNumbers.push(number);
      return;
    }
  }

  /** In no particular order. */
  *values(): Iterable<Value> {
    for (const value of this.#values) if (value !== undefined) yield value;
  }

  #put(hash: number, number: number): void {
    let at = hash & this.#mask;
    while (this.#cells[CELL * at + 1] !== EMPTY) at = (at + 1) & this.#mask;
    this.#cells[CELL * at] = hash;
    this.#cells[CELL * at + 1] = number;
    this.#used += 1;
  }

  /** Into as many cells as its values want, four times as many as they are. */
  #rebuild(): void {
    const old = this.#cells;
    const count = this.#values.length - 1 - this.#freeNumbers.length;
    let cells = FIRST_CELLS;
    while (cells < 4 * count) cells *= 2;
    this.#cells = new Int32Array(CELL * cells);
    this.#mask = cells - 1;
    this.#used = 0;
    for (let at = 0; at < old.length; at += CELL) {
      const number = old[at + 1] as number;
      if (number !== EMPTY && number !== LEFT) this.#put(old[at] as number, number);
    }
  }
}
