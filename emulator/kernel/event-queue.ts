import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Instant } from '../../common/units/units';

/** Whatever events happen to. `kind` is the target's own numbering. */
export interface EventTarget {
  handleEvent(now: Instant, kind: number, port: number, packet: Packet | undefined): void;
}

export interface Event {
  readonly at: Instant;
  readonly target: EventTarget;
  readonly kind: number;
  /** A port number or another small integer of the target's choosing. */
  readonly port: number;
  readonly packet?: Packet | undefined;
}

const INITIAL_CAPACITY = 1024;
const ARITY = 4;

/**
 * Future events in order of time; events of equal time in the order in which they were scheduled,
 * which makes every run reproducible.
 *
 * PERF: a 4-ary heap of slot numbers over typed arrays; scheduling and taking cost O(log4 n)
 * comparisons of numbers and allocate nothing once the arrays have grown.
 */
export class EventQueue {
  #capacity = INITIAL_CAPACITY;
  #times = new Float64Array(INITIAL_CAPACITY);
  #orders = new Float64Array(INITIAL_CAPACITY);
  #kinds = new Int32Array(INITIAL_CAPACITY);
  #ports = new Int32Array(INITIAL_CAPACITY);
  #heap = new Int32Array(INITIAL_CAPACITY);
  readonly #targets: EventTarget[] = [];
  readonly #packets: (Packet | undefined)[] = [];
  readonly #free: number[] = [];
  #size = 0;
  #nextOrder = 0;
  #now: Instant = 0;

  /** Time of the event that was taken last. */
  get now(): Instant {
    return this.#now;
  }

  get size(): number {
    return this.#size;
  }

  /** Number of events scheduled so far. */
  get scheduled(): number {
    return this.#nextOrder;
  }

  /** Time of the next event, or undefined when there is none. */
  get nextTime(): Instant | undefined {
    return this.#size === 0 ? undefined : this.#times[this.#heap[0] as number];
  }

  /** Packets of the events that wait for `target`, in no particular order; for observers. */
  pendingPackets(target: EventTarget): Packet[] {
    const slots = [...this.#heap.subarray(0, this.#size)];
    return slots.flatMap((slot) => {
      const packet = this.#packets[slot];
      return packet !== undefined && this.#targets[slot] === target ? [packet] : [];
    });
  }

  schedule(event: Event): void {
    assert(event.at >= this.#now, `an event at ${event.at} ps lies before now, ${this.#now} ps`);
    const slot = this.#free.pop() ?? this.#newSlot();
    this.#times[slot] = event.at;
    this.#orders[slot] = this.#nextOrder++;
    this.#kinds[slot] = event.kind;
    this.#ports[slot] = event.port;
    this.#targets[slot] = event.target;
    this.#packets[slot] = event.packet;
    this.#siftUp(this.#size++, slot);
  }

  /** Takes the next event and lets its target handle it. Returns false when there is none. */
  step(): boolean {
    if (this.#size === 0) return false;
    const slot = this.#heap[0] as number;
    this.#now = this.#times[slot] as number;
    const last = this.#heap[--this.#size] as number;
    if (this.#size > 0) this.#siftDown(last);
    const packet = this.#packets[slot];
    const target = this.#targets[slot] as EventTarget;
    this.#packets[slot] = undefined;
    this.#free.push(slot);
    target.handleEvent(this.#now, this.#kinds[slot] as number, this.#ports[slot] as number, packet);
    return true;
  }

  #newSlot(): number {
    const slot = this.#targets.length;
    if (slot === this.#capacity) this.#grow();
    return slot;
  }

  #grow(): void {
    this.#capacity *= 2;
    const grow = <A extends Float64Array | Int32Array>(wider: A, old: A): A => {
      wider.set(old);
      return wider;
    };
    this.#times = grow(new Float64Array(this.#capacity), this.#times);
    this.#orders = grow(new Float64Array(this.#capacity), this.#orders);
    this.#kinds = grow(new Int32Array(this.#capacity), this.#kinds);
    this.#ports = grow(new Int32Array(this.#capacity), this.#ports);
    this.#heap = grow(new Int32Array(this.#capacity), this.#heap);
  }

  #isBefore(a: number, b: number): boolean {
    const timeA = this.#times[a] as number;
    const timeB = this.#times[b] as number;
    return (
      timeA < timeB ||
      (timeA === timeB && (this.#orders[a] as number) < (this.#orders[b] as number))
    );
  }

  #siftUp(from: number, slot: number): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      const above = heap[parent] as number;
      if (!this.#isBefore(slot, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = slot;
  }

  #siftDown(slot: number): void {
    const heap = this.#heap;
    const size = this.#size;
    let at = 0;
    for (;;) {
      const first = at * ARITY + 1;
      if (first >= size) break;
      let least = heap[first] as number;
      let leastAt = first;
      const end = Math.min(first + ARITY, size);
      for (let child = first + 1; child < end; child++) {
        const candidate = heap[child] as number;
        if (this.#isBefore(candidate, least)) {
          least = candidate;
          leastAt = child;
        }
      }
      if (!this.#isBefore(least, slot)) break;
      heap[at] = least;
      at = leastAt;
    }
    heap[at] = slot;
  }
}
