import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Duration, Instant } from '../../common/units/units';
import { EventHeap } from './event-heap';
import { EventRecords } from './event-records';

/** Whatever events happen to. `what` is a number of the target's own choosing, of 32 bits. */
export interface EventTarget {
  /** Its number among the targets of the queue, from {@link EventQueue.newSource}. */
  readonly source: number;
  handleEvent(now: Instant, what: number, packet: Packet | undefined): void;
}

/** Order of an event among those of equal time. */
export interface EventKey {
  /** When it was scheduled. */
  readonly stamp: Instant;
  readonly order: number;
}

const INITIAL_CAPACITY = 1024;
/** A power of two, about 4 ns: a busy fabric has some ten events in it. */
const BUCKET_TIME: Duration = 2 ** 12;
const BUCKETS = 4096;
const WINDOW_TIME: Duration = BUCKETS * BUCKET_TIME;
const NONE = -1;
/** The slot of no event, whose place is before that of any. */
const NOBODY = 0;
/** Cells of the clock. */
const NOW = 0;
const WINDOW_START = 1;
const NEAR_END = 2;
/** More events than one target gets in years; 2^17 targets fit above it in the 53 bits of a number. */
const EVENTS_PER_SOURCE = 2 ** 36;
const SOURCES_MAX = 2 ** 17;

/**
 * Future events in order of time; events of equal time by when they were scheduled, then by the
 * numbers of their targets, and those of one target in the order in which they were scheduled. So
 * the order depends on the events of each target and on nothing else: not on which queue of several
 * the other targets are in.
 *
 *   near      the events before NEAR_END, in order
 *   buckets   the rest of the present window, a list for each 4 ns
 *   far       events behind the window, in order
 *
 * PERF: an event enters a list, and a heap of those that happen within the same 4 ns; so its cost
 * does not grow with the number of pending events. Nothing is allocated once the arrays have grown.
 */
export class EventQueue {
  /** A list goes on with the next slot of the same bucket, or the next free one. */
  readonly #records = new EventRecords(INITIAL_CAPACITY);
  /** Target and packet of each slot. PERF: beside each other, for the same reason as records. */
  readonly #objects: (EventTarget | Packet | undefined)[] = [];
  readonly #heads = new Int32Array(BUCKETS).fill(NONE);
  /** A bit for each bucket that is not empty. */
  readonly #occupied = new Int32Array(BUCKETS / 32);
  readonly #near = new EventHeap(this.#records);
  readonly #far = new EventHeap(this.#records);
  #free = NONE;
  #used = 1;
  #size = 0;
  /** Events of each target so far. */
  #sequences = new Float64Array(INITIAL_CAPACITY);
  #sources = 0;
  /**
   * Time of the event that was taken last, where the present window starts, and up to where events are in
   * the near heap. PERF: as fields, instants would be small integers for the first 2 ms and then objects,
   * for which the engine compiles everything around them again.
   */
  readonly #clock = new Float64Array(3);
  /**
   * Slot whose place is the present one; NOBODY at first. The slot is free once another one has the
   * place.
   */
  #placed = NOBODY;
  #isStopped = false;

  constructor() {
    this.#records.setKey(NOBODY, -Infinity, 0);
  }

  /** Time of the event that was taken last. */
  get now(): Instant {
    return this.#clock[NOW] as number;
  }

  /**
   * Stamp and order of the present place among all events: of the event that was taken last, or of one
   * taken before it at the same instant that is behind it in order. So places never go back, and of two
   * queues that share the events of one, whichever has the earlier place would have come first there.
   */
  get stamp(): Instant {
    return this.#records.stamp(this.#placed);
  }

  get order(): number {
    return this.#records.order(this.#placed);
  }

  /** Number of events scheduled so far, by the numbers of their targets. */
  get scheduled(): Float64Array {
    return this.#sequences.slice(0, this.#sources);
  }

  /** The number of one more target; targets have to be numbered in the same order in every run. */
  newSource(): number {
    assert(this.#sources < SOURCES_MAX, `a queue has at most ${SOURCES_MAX} targets`);
    if (this.#sources === this.#sequences.length) {
      const wider = new Float64Array(2 * this.#sources);
      wider.set(this.#sequences);
      this.#sequences = wider;
    }
    return this.#sources++;
  }

  /** Time of the next event, or undefined when there is none. */
  get nextTime(): Instant | undefined {
    return this.#hasNear() ? this.#near.firstTime : undefined;
  }

  /** Bytes of the packets that wait for each target; for observers. */
  pendingBytes(): ReadonlyMap<EventTarget, Bytes> {
    const bytes = new Map<EventTarget, Bytes>();
    for (let slot = 0; slot < this.#used; slot++) {
      const packet = this.#packet(slot);
      if (packet === undefined) continue;
      const target = this.#target(slot);
      bytes.set(target, (bytes.get(target) ?? 0) + packet.length);
    }
    return bytes;
  }

  /** Lets `target` handle `what` at the instant `at`, which does not lie in the past. */
  schedule(at: Instant, target: EventTarget, what: number, packet?: Packet): void {
    const slot = this.#put(at, target, packet);
    this.#records.setWhat(slot, what);
    this.#records.setKey(slot, this.#clock[NOW] as number, this.orderOf(target));
    this.#file(slot, at);
  }

  /** Lets `target` handle 0 with `packet` at `at`, as another queue has scheduled it. */
  scheduleFrom(at: Instant, target: EventTarget, { stamp, order }: EventKey, packet: Packet): void {
    const slot = this.#put(at, target, packet);
    this.#records.setWhat(slot, 0);
    this.#records.setKey(slot, stamp, order);
    this.#file(slot, at);
  }

  /** Lets `target` handle `what` at `at`, in a place that {@link orderOf} gave it at the instant `stamp`. */
  scheduleIn({ stamp, order }: EventKey, at: Instant, target: EventTarget, what: number): void {
    const slot = this.#put(at, target, undefined);
    this.#records.setWhat(slot, what);
    this.#records.setKey(slot, stamp, order);
    this.#file(slot, at);
  }

  /** The place of the next event of `target`, which counts as scheduled. */
  orderOf({ source }: EventTarget): number {
    const sequence = this.#sequences[source] as number;
    this.#sequences[source] = sequence + 1;
    return source * EVENTS_PER_SOURCE + sequence;
  }

  #put(at: Instant, target: EventTarget, packet: Packet | undefined): number {
    assert(at >= (this.#clock[NOW] as number), 'no event lies before now');
    const slot = this.#free === NONE ? this.#newSlot() : this.#free;
    this.#free = this.#records.next(slot);
    this.#records.setTime(slot, at);
    this.#objects[2 * slot] = target;
    this.#objects[2 * slot + 1] = packet;
    this.#size++;
    return slot;
  }

  #target(slot: number): EventTarget {
    return this.#objects[2 * slot] as EventTarget;
  }

  #packet(slot: number): Packet | undefined {
    return this.#objects[2 * slot + 1] as Packet | undefined;
  }

  #file(slot: number, at: Instant): void {
    const clock = this.#clock;
    if (at < (clock[NEAR_END] as number)) this.#near.push(slot, at);
    else if (at < (clock[WINDOW_START] as number) + WINDOW_TIME) this.#putIntoBucket(slot, at);
    else this.#far.push(slot, at);
  }

  /** Takes the next event and lets its target handle it. Returns false when there is none. */
  step(): boolean {
    if (!this.#hasNear()) return false;
    this.#handleNext();
    return true;
  }

  /**
   * Runs events up to the instant `until`, unless stopped, and at most `events` of them. Returns
   * true if more events are due by `until`.
   */
  run(until: Instant, events: number): boolean {
    this.#isStopped = false;
    for (let left = events; left > 0 && !this.#isStopped; left--) {
      if (!this.#hasNear() || !this.#near.isDue(until)) return false;
      this.#handleNext();
    }
    return this.#hasNear() && this.#near.isDue(until);
  }

  /** Ends {@link run} behind the event that is handled now. */
  stop(): void {
    this.#isStopped = true;
  }

  #handleNext(): void {
    const slot = this.#near.pop();
    const packet = this.#packet(slot);
    const target = this.#target(slot);
    const now = this.#records.time(slot);
    const placed = this.#placed;
    // PERF: a slot keeps the present place by being freed late, which costs next to nothing.
    const isNext = now > (this.#clock[NOW] as number) || this.#records.isBefore(placed, slot);
    const free = isNext ? placed : slot;
    if (isNext) this.#placed = slot;
    this.#clock[NOW] = now;
    this.#objects[2 * slot + 1] = undefined;
    this.#records.setNext(free, this.#free);
    this.#free = free;
    this.#size--;
    target.handleEvent(now, this.#records.what(slot), packet);
  }

  /** Sees to it that the next event is in the near heap. Returns false when there is no event. */
  #hasNear(): boolean {
    return this.#near.size > 0 || (this.#size > 0 && this.#approach());
  }

  #approach(): boolean {
    const clock = this.#clock;
    const nearEnd = clock[NEAR_END] as number;
    let bucket = this.#nextOccupied((nearEnd - (clock[WINDOW_START] as number)) / BUCKET_TIME);
    if (bucket === NONE) {
      this.#moveWindow();
      bucket = this.#nextOccupied(0);
    }
    for (let slot = this.#heads[bucket] as number; slot !== NONE;) {
      this.#near.push(slot, this.#records.time(slot));
      slot = this.#records.next(slot);
    }
    this.#heads[bucket] = NONE;
    const word = bucket >> 5;
    this.#occupied[word] = (this.#occupied[word] as number) & ~(1 << (bucket & 31));
    clock[NEAR_END] = (clock[WINDOW_START] as number) + (bucket + 1) * BUCKET_TIME;
    return true;
  }

  /** All events lie behind the present window: moves it to the first of them. */
  #moveWindow(): void {
    const far = this.#far;
    const start = Math.floor(far.firstTime / WINDOW_TIME) * WINDOW_TIME;
    this.#clock[WINDOW_START] = start;
    this.#clock[NEAR_END] = start;
    const end = start + WINDOW_TIME;
    while (far.firstTime < end) {
      const slot = far.pop();
      this.#putIntoBucket(slot, this.#records.time(slot));
    }
  }

  #putIntoBucket(slot: number, at: Instant): void {
    const bucket = ((at - (this.#clock[WINDOW_START] as number)) / BUCKET_TIME) | 0;
    this.#records.setNext(slot, this.#heads[bucket] as number);
    this.#heads[bucket] = slot;
    const word = bucket >> 5;
    this.#occupied[word] = (this.#occupied[word] as number) | (1 << (bucket & 31));
  }

  /** The first bucket from `from` on that is not empty, or NONE. */
  #nextOccupied(from: number): number {
    const occupied = this.#occupied;
    let at = from >> 5;
    if (at >= occupied.length) return NONE;
    let bits = (occupied[at] as number) & (-1 << (from & 31));
    while (bits === 0) {
      if (++at === occupied.length) return NONE;
      bits = occupied[at] as number;
    }
    return at * 32 + 31 - Math.clz32(bits & -bits);
  }

  /** A slot whose successor in the list of free ones is none. */
  #newSlot(): number {
    const slot = this.#used++;
    if (slot === this.#records.capacity) this.#records.grow();
    this.#records.setNext(slot, NONE);
    return slot;
  }
}
