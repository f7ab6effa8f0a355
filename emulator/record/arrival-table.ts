import type { Instant } from '../../common/units/units';

/** Rows at first; a power of two. */
const INITIAL_ROWS = 64;
/** Cells of a row. */
const ID = 0;
const ORDER = 1;
const INSTANT = 2;
const ROW_CELLS = 3;
/** In place of the id of an empty row. */
const NOBODY = -1;
const MULTIPLIER = 0x9e37_79b1;

/**
 * Arrivals of packets by their ids: the place of each in the order of all arrivals, and its instant.
 * PERF: a hash table of numbers that finds the next free row behind, since ids beyond 31 bits cost a
 * map an object and a call each; most packets leave before the next one comes, in the row that it takes.
 */
export class ArrivalTable {
  #cells = new Float64Array(INITIAL_ROWS * ROW_CELLS).fill(NOBODY);
  #mask = INITIAL_ROWS - 1;
  #size = 0;
  /** Instant of the arrival that was taken last. PERF: a field of an object would be one more. */
  readonly #taken = new Float64Array(1);

  /** Notes an arrival, in place of an earlier one of the same packet. */
  add(id: number, order: number, at: Instant): void {
    const row = this.#find(id);
    const cells = this.#cells;
    const isNew = cells[row + ID] === NOBODY;
    cells[row + ID] = id;
    cells[row + ORDER] = order;
    cells[row + INSTANT] = at;
    if (isNew && 2 * ++this.#size > this.#mask) this.#grow();
  }

  /** Place of a packet's arrival, which is forgotten; undefined if it has not been noted. */
  take(id: number): number | undefined {
    const row = this.#find(id);
    const cells = this.#cells;
    if (cells[row + ID] === NOBODY) return undefined;
    const order = cells[row + ORDER];
    this.#taken[0] = cells[row + INSTANT] as number;
    this.#size--;
    this.#close(row);
    return order;
  }

  /** Instant of the arrival that was taken last. */
  get takenAt(): Instant {
    return this.#taken[0] as number;
  }

  /** Cell where the row of an id begins, or would begin. */
  #find(id: number): number {
    const cells = this.#cells;
    let place = this.#placeOf(id);
    for (;;) {
      const found = cells[place * ROW_CELLS + ID];
      if (found === id || found === NOBODY) return place * ROW_CELLS;
      place = (place + 1) & this.#mask;
    }
  }

  /** Where the search for an id begins. */
  #placeOf(id: number): number {
    return (Math.imul(id, MULTIPLIER) >>> 8) & this.#mask;
  }

  /** Empties a row, and moves those behind that would not be found any more. */
  #close(row: number): void {
    const cells = this.#cells;
    let gap = row / ROW_CELLS;
    for (let place = (gap + 1) & this.#mask; ; place = (place + 1) & this.#mask) {
      const from = place * ROW_CELLS;
      const id = cells[from + ID] as number;
      if (id === NOBODY) break;
      const isBehindGap =
        ((place - this.#placeOf(id)) & this.#mask) >= ((place - gap) & this.#mask);
      if (!isBehindGap) continue;
      cells.copyWithin(gap * ROW_CELLS, from, from + ROW_CELLS);
      gap = place;
    }
    cells[gap * ROW_CELLS + ID] = NOBODY;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Float64Array(2 * old.length).fill(NOBODY);
    this.#mask = 2 * this.#mask + 1;
    for (let row = 0; row < old.length; row += ROW_CELLS) {
      const id = old[row + ID] as number;
      if (id !== NOBODY) this.#cells.set(old.subarray(row, row + ROW_CELLS), this.#find(id));
    }
  }
}
