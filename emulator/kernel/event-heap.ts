import type { InstantCell } from '../../common/units/units';

/** Entries that there is room for at first. */
const INITIAL_CAPACITY = 8;
const ARITY = 4;
/** Position of what is not in the heap. */
const OUT = -1;

/**
 * Numbers 0, 1, 2, … each with at most one time, in order of time, and of equal times in order of the
 * numbers. PERF: nothing is allocated once the arrays have grown.
 */
export class EventHeap {
  #heap = new Int32Array(INITIAL_CAPACITY);
  /** Times by number; Infinity outside the heap. */
  #times = new Float64Array(INITIAL_CAPACITY);
  /** Positions in the heap by number. */
  #positions = new Int32Array(INITIAL_CAPACITY);
  #numbers = 0;
  #size = 0;
  /**
   * True while the first place is free. PERF: what has happened mostly makes something else happen, which takes the
   * place; otherwise two would be looked for in the heap.
   */
  #hasGap = false;
  /** Time for {@link setToDue}. PERF: a time that is an argument of a call becomes an object. */
  readonly due = new Float64Array(1);

  /** The next number, which has no time yet. */
  add(): number {
    if (this.#numbers === this.#heap.length) this.#grow();
    const number = this.#numbers++;
    this.#times[number] = Infinity;
    this.#positions[number] = OUT;
    return number;
  }

  /** Infinity of a number without time. */
  timeOf(number: number): number {
    return this.#times[number] as number;
  }

  /** True if the time of a number is the one in a cell. PERF: a time that is returned may become an object. */
  isAt(number: number, time: InstantCell): boolean {
    return this.#times[number] === time[0];
  }

  /** The least time; Infinity when there is none. */
  get firstTime(): number {
    if (this.#hasGap) this.#close();
    return this.#size === 0 ? Infinity : (this.#times[this.#heap[0] as number] as number);
  }

  /** The first number of a heap that is not empty. */
  get first(): number {
    if (this.#hasGap) this.#close();
    return this.#heap[0] as number;
  }

  /** True if the first time is `until` or before. PERF: a time that is returned may become an object. */
  isDue(until: number): boolean {
    if (this.#hasGap) this.#close();
    return this.#size > 0 && (this.#times[this.#heap[0] as number] as number) <= until;
  }

  /** Gives a number a time, instead of the one that it had. */
  set(number: number, time: number): void {
    this.due[0] = time;
    this.setToDue(number);
  }

  /** Gives a number the time {@link due}, instead of the one that it had. */
  setToDue(number: number): void {
    const time = this.due[0] as number;
    if (this.#hasGap) {
      if (this.#positions[number] === OUT) {
        this.#times[number] = time;
        this.#hasGap = false;
        this.#sink(0, number);
        return;
      }
      this.#close();
    }
    const before = this.#times[number] as number;
    const position = this.#positions[number] as number;
    this.#times[number] = time;
    if (position === OUT) this.#rise(this.#size++, number);
    else if (time < before) this.#rise(position, number);
    else this.#sink(position, number);
  }

  /** Takes a number's time away. */
  remove(number: number): void {
    if (this.#hasGap) this.#close();
    const position = this.#positions[number] as number;
    if (position === OUT) return;
    this.#times[number] = -Infinity;
    this.#rise(position, number);
    this.takeFirst();
  }

  /** Takes the time of the first number of a heap that is not empty away. */
  takeFirst(): void {
    if (this.#hasGap) this.#close();
    const first = this.#heap[0] as number;
    this.#times[first] = Infinity;
    this.#positions[first] = OUT;
    this.#hasGap = true;
  }

  /** Fills the first place with the last number. */
  #close(): void {
    this.#hasGap = false;
    const last = --this.#size;
    if (last > 0) this.#sink(0, this.#heap[last] as number);
  }

  #rise(from: number, number: number): void {
    const heap = this.#heap;
    const time = this.#times[number] as number;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      const other = heap[parent] as number;
      const above = this.#times[other] as number;
      if (above < time || (above === time && other < number)) break;
      this.#put(at, other);
      at = parent;
    }
    this.#put(at, number);
  }

  #sink(from: number, number: number): void {
    const heap = this.#heap;
    const time = this.#times[number] as number;
    let at = from;
    for (let child = ARITY * at + 1; child < this.#size; child = ARITY * at + 1) {
      const least = this.#leastFrom(child);
      const other = heap[least] as number;
      const below = this.#times[other] as number;
      if (below > time || (below === time && other > number)) break;
      this.#put(at, other);
      at = least;
    }
    this.#put(at, number);
  }

  /** Position of the first of the siblings from `first` on. */
  #leastFrom(first: number): number {
    const heap = this.#heap;
    const end = Math.min(first + ARITY, this.#size);
    let least = first;
    let number = heap[first] as number;
    let time = this.#times[number] as number;
    for (let at = first + 1; at < end; at++) {
      const other = heap[at] as number;
      const candidate = this.#times[other] as number;
      if (candidate > time || (candidate === time && other > number)) continue;
      least = at;
      number = other;
      time = candidate;
    }
    return least;
  }

  #put(position: number, number: number): void {
    this.#heap[position] = number;
    this.#positions[number] = position;
  }

  #grow(): void {
    const capacity = 2 * this.#heap.length;
    const wider = <Cells extends Int32Array | Float64Array>(cells: Cells, into: Cells): Cells => {
      into.set(cells);
      return into;
    };
    this.#heap = wider(this.#heap, new Int32Array(capacity));
    this.#times = wider(this.#times, new Float64Array(capacity));
    this.#positions = wider(this.#positions, new Int32Array(capacity));
  }
}
