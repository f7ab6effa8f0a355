import type { Instant, InstantCell } from '../../common/units/units';
import { OccupiedBuckets } from './occupied-buckets';
import { TimerHeap } from './timer-heap';

const NOBODY = -1;
/** Values in place of a bucket: the owner has no deadline, or one that the wheel does not reach. */
const NOWHERE = -1;
const FAR = -2;
const BUCKETS_MIN = 1024;
/** About a microsecond; it adapts. Widths are powers of two, so that dividing by them is exact. */
const WIDTH_AT_FIRST: Instant = 2 ** 20;
const WIDTH_MIN: Instant = 2 ** 8;
const WIDTH_MAX: Instant = 2 ** 40;
/** Changes after which the width is looked at; at least as many as there are owners. */
const CHANGES_PER_LOOK = 1024;
/** Owners looked at per bucket that was searched: more make the buckets narrower. */
const CROWDED = 3;
/** Few enough to make them wider, when this share of the deadlines was out of reach. */
const ROOMY = 1.5;
const FAR_SHARE = 0.25;

/**
 * One deadline for each of many small integers, earliest first; equal deadlines in the order of the
 * integers, so that runs are reproducible.
 *
 *     cursor                                              cursor + buckets
 *       | [ ] [7] [ ] [3, 9] [ ] [ ] [5] ...                  |
 *       present          one bucket = `width` of time         ... later or past: a heap
 *
 * PERF: a calendar queue. Setting links a bucket's list, finding looks for the next occupied bucket
 * in a bitmap and through the one or two deadlines in it: both cost nearly the same with 10 and with
 * 100,000 owners, where a heap takes log n steps that the processor cannot predict. The width follows
 * the deadlines: narrower when buckets are crowded, wider when many deadlines are out of reach.
 */
export class TimerWheel {
  /** Deadline, bucket and neighbours in its list, by owner. */
  #at = new Float64Array(0);
  #bucket = new Int32Array(0);
  #next = new Int32Array(0);
  #previous = new Int32Array(0);
  /** Head of the list, by bucket. */
  #heads = new Int32Array(0);
  #occupied = new OccupiedBuckets(BUCKETS_MIN);
  #mask = 0;
  #width = WIDTH_AT_FIRST;
  #perWidth = 1 / WIDTH_AT_FIRST;
  /** Number of the bucket that the present is in, counted from instant 0; nobody is before it. */
  #cursor = 0;
  readonly #far = new TimerHeap();
  /** Whose deadline in the wheel is the earliest, while that is known. */
  #first = NOBODY;
  #isFirstKnown = true;
  /** Instant for {@link setToDue}. */
  readonly due: InstantCell = new Float64Array(1);
  #changes = 0;
  #farChanges = 0;
  #searches = 0;
  #searched = 0;

  constructor() {
    this.#grow(BUCKETS_MIN / 2);
  }

  /** Writes the earliest deadline, or Infinity. */
  writeEarliest(into: InstantCell): void {
    const first = this.#findFirst();
    const at = first === NOBODY ? Infinity : (this.#at[first] as number);
    into[0] = Math.min(at, this.#far.earliest);
  }

  /** True if the earliest deadline is at `now` or before. */
  isDue(now: Instant): boolean {
    const first = this.#findFirst();
    if (first !== NOBODY && (this.#at[first] as number) <= now) return true;
    return this.#far.earliest <= now;
  }

  /** Whose deadline is the earliest, or undefined when nobody has one. */
  get first(): number | undefined {
    const first = this.#findFirst();
    const far = this.#far.first;
    if (first === NOBODY || far === undefined) return first === NOBODY ? far : first;
    const at = this.#at[first] as number;
    const isFar = this.#far.earliest < at || (this.#far.earliest === at && far < first);
    return isFar ? far : first;
  }

  /** Nobody will set a deadline before `now` any more, but for those that are due at once. */
  advanceTo(now: Instant): void {
    const first = this.#findFirst();
    const at = first === NOBODY ? Infinity : (this.#at[first] as number);
    const present = Math.floor(Math.min(at, now) * this.#perWidth);
    if (present > this.#cursor) this.#cursor = present;
  }

  /** Replaces the deadline of `id`; Infinity removes it. */
  set(id: number, at: Instant): void {
    this.due[0] = at;
    this.setToDue(id);
  }

  /** Replaces the deadline of `id` by {@link due}; Infinity removes it. */
  setToDue(id: number): void {
    if (id >= this.#at.length) this.#grow(id + 1);
    const at = this.due[0] as number;
    if (at === this.#at[id]) return;
    this.#remove(id);
    this.#at[id] = at;
    if (at === Infinity) return;
    this.#insert(id);
    if (++this.#changes >= CHANGES_PER_LOOK) this.#adapt();
  }

  /** Files a deadline that has been written. PERF: an instant that is an argument becomes an object. */
  #insert(id: number): void {
    const at = this.#at[id] as number;
    const number = Math.floor(at * this.#perWidth);
    const ahead = number - this.#cursor;
    if (!(ahead >= 0 && ahead <= this.#mask)) {
      this.#farChanges++;
      this.#bucket[id] = FAR;
      this.#far.set(id, at);
      return;
    }
    const bucket = number & this.#mask;
    const head = this.#heads[bucket] as number;
    this.#bucket[id] = bucket;
    this.#next[id] = head;
    this.#previous[id] = NOBODY;
    if (head === NOBODY) this.#occupied.add(bucket);
    else this.#previous[head] = id;
    this.#heads[bucket] = id;
    if (this.#isFirstKnown && this.#isBefore(id, this.#first)) this.#first = id;
  }

  #remove(id: number): void {
    const bucket = this.#bucket[id] as number;
    if (bucket === NOWHERE) return;
    this.#bucket[id] = NOWHERE;
    if (bucket === FAR) {
      this.#far.set(id, Infinity);
      return;
    }
    const next = this.#next[id] as number;
    const previous = this.#previous[id] as number;
    if (next !== NOBODY) this.#previous[next] = previous;
    if (previous !== NOBODY) this.#next[previous] = next;
    else {
      this.#heads[bucket] = next;
      if (next === NOBODY) this.#occupied.remove(bucket);
    }
    if (id === this.#first) this.#isFirstKnown = false;
  }

  /** True if `id` comes before `other`, who may be nobody. */
  #isBefore(id: number, other: number): boolean {
    if (other === NOBODY) return true;
    const at = this.#at[id] as number;
    const otherAt = this.#at[other] as number;
    return at < otherAt || (at === otherAt && id < other);
  }

  #findFirst(): number {
    if (this.#isFirstKnown) return this.#first;
    const bucket = this.#occupied.from(this.#cursor & this.#mask);
    let first = NOBODY;
    this.#searches++;
    for (let id = bucket === NOWHERE ? NOBODY : (this.#heads[bucket] as number); id !== NOBODY;) {
      this.#searched++;
      if (this.#isBefore(id, first)) first = id;
      id = this.#next[id] as number;
    }
    this.#first = first;
    this.#isFirstKnown = true;
    return first;
  }

  #adapt(): void {
    if (this.#changes < this.#at.length) return;
    const crowd = this.#searched / Math.max(1, this.#searches);
    const farShare = this.#farChanges / this.#changes;
    if (crowd > CROWDED && this.#width > WIDTH_MIN) this.#rebuild(this.#width / 2);
    else if (crowd < ROOMY && farShare > FAR_SHARE && this.#width < WIDTH_MAX) {
      this.#rebuild(this.#width * 2);
    }
    this.#changes = 0;
    this.#farChanges = 0;
    this.#searches = 0;
    this.#searched = 0;
  }

  /** All deadlines into buckets of another width. */
  #rebuild(width: Instant): void {
    const present = this.#cursor * this.#width;
    this.#width = width;
    this.#perWidth = 1 / width;
    this.#cursor = Math.floor(present * this.#perWidth);
    this.#relink();
  }

  #relink(): void {
    this.#heads.fill(NOBODY);
    this.#occupied = new OccupiedBuckets(this.#heads.length);
    this.#first = NOBODY;
    this.#isFirstKnown = true;
    for (let id = 0; id < this.#at.length; id++) {
      const at = this.#at[id] as number;
      if (this.#bucket[id] === FAR) this.#far.set(id, Infinity);
      this.#bucket[id] = NOWHERE;
      if (at !== Infinity) this.#insert(id);
    }
  }

  /** Twice as many buckets as owners, so that most hold one or none. */
  #grow(owners: number): void {
    const length = Math.max(2 * this.#at.length, owners);
    const [at, bucket] = [this.#at, this.#bucket];
    this.#at = new Float64Array(length).fill(Infinity);
    this.#bucket = new Int32Array(length).fill(NOWHERE);
    this.#at.set(at);
    this.#bucket.set(bucket);
    this.#next = new Int32Array(length);
    this.#previous = new Int32Array(length);
    const buckets = Math.max(BUCKETS_MIN, 2 ** Math.ceil(Math.log2(2 * length)));
    this.#heads = new Int32Array(buckets);
    this.#mask = buckets - 1;
    this.#relink();
  }
}
