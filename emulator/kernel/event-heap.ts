import type { EventRecords } from './event-records';

const INITIAL_CAPACITY = 64;
const ARITY = 4;

/**
 * Slot numbers in order of time, and of equal times in order of their keys.
 * PERF: a 4-ary heap whose times lie in the order of the heap, so that sifting reads memory in a row;
 * nothing is allocated once the arrays have grown.
 */
export class EventHeap {
  #times = new Float64Array(INITIAL_CAPACITY);
  #slots = new Int32Array(INITIAL_CAPACITY);
  readonly #records: EventRecords;
  size = 0;

  constructor(records: EventRecords) {
    this.#records = records;
  }

  /** Time of the first slot; Infinity when there is none. */
  get firstTime(): number {
    return this.size === 0 ? Infinity : (this.#times[0] as number);
  }

  /**
   * True if the first slot of a heap that is not empty is due at `until` or before.
   * PERF: a time that is returned is an object.
   */
  isDue(until: number): boolean {
    return (this.#times[0] as number) <= until;
  }

  push(slot: number, time: number): void {
    if (this.size === this.#slots.length) this.#grow();
    const times = this.#times;
    const slots = this.#slots;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      const above = times[parent] as number;
      if (above < time) break;
      const other = slots[parent] as number;
      if (above === time && this.#records.isBefore(other, slot)) break;
      times[at] = above;
      slots[at] = other;
      at = parent;
    }
    times[at] = time;
    slots[at] = slot;
  }

  /** Takes the first slot of a heap that is not empty. */
  pop(): number {
    const first = this.#slots[0] as number;
    const last = --this.size;
    if (last > 0) this.#sink(this.#slots[last] as number, this.#times[last] as number);
    return first;
  }

  #sink(slot: number, time: number): void {
    const { size } = this;
    const times = this.#times;
    const slots = this.#slots;
    let at = 0;
    for (let first = 1; first < size; first = at * ARITY + 1) {
      let least = first;
      let leastTime = times[first] as number;
      const end = first + ARITY < size ? first + ARITY : size;
      for (let child = first + 1; child < end; child++) {
        const candidate = times[child] as number;
        if (candidate > leastTime) continue;
        if (candidate === leastTime && !this.#isBefore(child, least)) continue;
        least = child;
        leastTime = candidate;
      }
      if (leastTime > time) break;
      const other = slots[least] as number;
      if (leastTime === time && this.#records.isBefore(slot, other)) break;
      times[at] = leastTime;
      slots[at] = other;
      at = least;
    }
    times[at] = time;
    slots[at] = slot;
  }

  /** Order of two places with equal times. */
  #isBefore(a: number, b: number): boolean {
    return this.#records.isBefore(this.#slots[a] as number, this.#slots[b] as number);
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    const slots = new Int32Array(this.#slots.length * 2);
    times.set(this.#times);
    slots.set(this.#slots);
    this.#times = times;
    this.#slots = slots;
  }
}
