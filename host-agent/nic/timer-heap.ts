import type { Instant } from '../../common/units/units';

const ARITY = 4;
const NOWHERE = -1;

/**
 * One deadline for each of many small integers, earliest first; equal deadlines in the order of the
 * integers, so that runs are reproducible.
 *
 * PERF: an indexed 4-ary heap over typed arrays, with the deadlines beside the heap's entries so that
 * a comparison of siblings reads one cache line. Setting costs O(log4 n) comparisons, 2 levels at 10
 * and 7 at 10,000, and allocates nothing once the arrays have grown.
 */
export class TimerHeap {
  /** Deadlines and their owners by position in the heap. */
  #deadlines = new Float64Array(64);
  #owners = new Int32Array(64);
  /** Position in the heap of an integer's deadline. */
  #positions = new Int32Array(64).fill(NOWHERE);
  #size = 0;

  /** The earliest deadline, or Infinity. */
  get earliest(): Instant {
    return this.#size === 0 ? Infinity : (this.#deadlines[0] as number);
  }

  /** Whose deadline is the earliest, or undefined when nobody has one. */
  get first(): number | undefined {
    return this.#size === 0 ? undefined : this.#owners[0];
  }

  /** Replaces the deadline of `id`; Infinity removes it. */
  set(id: number, at: Instant): void {
    if (id >= this.#positions.length) this.#grow(id);
    const position = this.#positions[id] as number;
    if (at === Infinity) {
      if (position !== NOWHERE) this.#remove(position);
      return;
    }
    if (position === NOWHERE) {
      this.#siftUp(this.#size++, id, at);
      return;
    }
    const before = this.#deadlines[position] as number;
    if (at < before) this.#siftUp(position, id, at);
    else if (at > before) this.#siftDown(position, id, at);
  }

  #remove(position: number): void {
    this.#positions[this.#owners[position] as number] = NOWHERE;
    const last = --this.#size;
    if (position === last) return;
    const id = this.#owners[last] as number;
    const at = this.#deadlines[last] as number;
    const parent = (position - 1) >> 2;
    if (position > 0 && this.#isBefore(id, at, parent)) this.#siftUp(position, id, at);
    else this.#siftDown(position, id, at);
  }

  /** True if `id` with its deadline `at` goes before the entry at `position`. */
  #isBefore(id: number, at: Instant, position: number): boolean {
    const other = this.#deadlines[position] as number;
    return at < other || (at === other && id < (this.#owners[position] as number));
  }

  #place(position: number, id: number, at: Instant): void {
    this.#owners[position] = id;
    this.#deadlines[position] = at;
    this.#positions[id] = position;
  }

  #siftUp(from: number, id: number, at: Instant): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 2;
      if (!this.#isBefore(id, at, parent)) break;
      this.#move(parent, position);
      position = parent;
    }
    this.#place(position, id, at);
  }

  #siftDown(from: number, id: number, at: Instant): void {
    let position = from;
    for (;;) {
      const first = position * ARITY + 1;
      if (first >= this.#size) break;
      const least = this.#leastOf(first, Math.min(first + ARITY, this.#size));
      if (this.#isBefore(id, at, least)) break;
      this.#move(least, position);
      position = least;
    }
    this.#place(position, id, at);
  }

  #leastOf(first: number, end: number): number {
    let least = first;
    for (let child = first + 1; child < end; child++) {
      const at = this.#deadlines[child] as number;
      if (this.#isBefore(this.#owners[child] as number, at, least)) least = child;
    }
    return least;
  }

  #move(from: number, to: number): void {
    this.#place(to, this.#owners[from] as number, this.#deadlines[from] as number);
  }

  #grow(id: number): void {
    const length = Math.max(2 * this.#positions.length, id + 1);
    const deadlines = new Float64Array(length);
    const owners = new Int32Array(length);
    const positions = new Int32Array(length).fill(NOWHERE);
    deadlines.set(this.#deadlines);
    owners.set(this.#owners);
    positions.set(this.#positions);
    this.#deadlines = deadlines;
    this.#owners = owners;
    this.#positions = positions;
  }
}
