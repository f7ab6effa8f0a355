/** Cells of a record: doubles first, then halves of one. */
const CELLS = 4;
const STAMP = 1;
const ORDER = 2;
const WHAT = 6;
const NEXT = 7;

/**
 * Records of events by slot, without target and packet.
 * PERF: a record lies in one piece of 32 bytes. A fabric has a megabyte of pending events, and in
 * arrays of its own each field would be read from another place of it.
 */
export class EventRecords {
  #doubles: Float64Array;
  /** The same memory. */
  #integers: Int32Array;

  constructor(capacity: number) {
    this.#doubles = new Float64Array(CELLS * capacity);
    this.#integers = new Int32Array(this.#doubles.buffer);
  }

  get capacity(): number {
    return this.#doubles.length / CELLS;
  }

  time(slot: number): number {
    return this.#doubles[CELLS * slot] as number;
  }

  setTime(slot: number, time: number): void {
    this.#doubles[CELLS * slot] = time;
  }

  /** When the event was scheduled: of events of equal time, the earlier first. */
  stamp(slot: number): number {
    return this.#doubles[CELLS * slot + STAMP] as number;
  }

  /** Its place among those that were scheduled then. */
  order(slot: number): number {
    return this.#doubles[CELLS * slot + ORDER] as number;
  }

  setKey(slot: number, stamp: number, order: number): void {
    this.#doubles[CELLS * slot + STAMP] = stamp;
    this.#doubles[CELLS * slot + ORDER] = order;
  }

  what(slot: number): number {
    return this.#integers[2 * CELLS * slot + WHAT] as number;
  }

  setWhat(slot: number, what: number): void {
    this.#integers[2 * CELLS * slot + WHAT] = what;
  }

  /** The next slot of a list that this one is in. */
  next(slot: number): number {
    return this.#integers[2 * CELLS * slot + NEXT] as number;
  }

  setNext(slot: number, next: number): void {
    this.#integers[2 * CELLS * slot + NEXT] = next;
  }

  /** Order of two events of equal time. */
  isBefore(a: number, b: number): boolean {
    const stamp = this.stamp(a);
    const other = this.stamp(b);
    return stamp === other ? this.order(a) < this.order(b) : stamp < other;
  }

  /** Makes room for twice as many. */
  grow(): void {
    const doubles = new Float64Array(2 * this.#doubles.length);
    doubles.set(this.#doubles);
    this.#doubles = doubles;
    this.#integers = new Int32Array(doubles.buffer);
  }
}
