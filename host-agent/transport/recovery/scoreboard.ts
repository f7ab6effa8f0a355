import { assert } from '../../../common/assert';
import type { Bytes, Duration, Instant } from '../../../common/units/units';
import type { SackBlock } from '../../../common/wire/hpcc/selective-ack';
import { REORDER_SEGMENTS_MAX } from './loss-recovery';
import type { SegmentLost } from './loss-recovery';
import { ReorderingDegree } from './reordering-degree';

const IN_FLIGHT = 0;
const IN_FLIGHT_AGAIN = 1;
const ARRIVED = 2;
const LOST = 3;
/** Trimmed, and not to be sent again before the receiver asks for it. */
const HELD = 4;

const CAPACITY_MIN = 64;

/**
 * Scoreboard (RFC 6675) of a sender that repeats single segments: the segments beyond the acknowledgement,
 * as a ring in the order of sequences, of at most `REORDER_SEGMENTS_MAX`.
 *
 *     in flight ---- acknowledged ----------------> arrived
 *        |  ^                                          ^
 *     taken for lost                                   |
 *        v  |                                          |
 *       lost -- sent again --> in flight again --------+
 *
 * Segments that have arrived are never sent again: receivers keep what they have acknowledged. A segment is sent
 * again as it was first cut, so that sequences of segments never overlap.
 *
 * PERF: nothing is allocated per segment, and an acknowledgement in order costs constant time. While
 * segments are missing, one scan of the ring per reordering window and acknowledged block.
 */
export class Scoreboard {
  readonly #spanMax: Bytes;
  readonly #degree: ReorderingDegree;
  readonly #onLost: SegmentLost | undefined;
  #capacity = CAPACITY_MIN;
  #sequences = new Float64Array(CAPACITY_MIN);
  #sentAt = new Float64Array(CAPACITY_MIN);
  #lengths = new Uint32Array(CAPACITY_MIN);
  #states = new Uint8Array(CAPACITY_MIN);
  /** Numbers of the first segment and of the one after the last, counted over the whole flow. */
  #first = 0;
  #end = 0;
  #inflight: Bytes = 0;
  #lost = 0;
  #held = 0;
  #heldAt: Instant = 0;
  /** No segment before it is lost. */
  #lostFrom = 0;
  #arrivedUpTo = 0;
  #arrivedBytes: Bytes = 0;
  #deadline: Instant = Infinity;

  /**
   * @param spanMax bytes from the first segment to the beginning of the last.
   * @param onLost hears of each segment that nobody has told to be missing.
   */
  constructor(baseRtt: Duration, spanMax: Bytes, onLost?: SegmentLost) {
    this.#onLost = onLost;
    this.#spanMax = spanMax;
    this.#degree = new ReorderingDegree(baseRtt);
  }

  /** Bytes that have been sent, have not arrived and are not taken for lost. */
  get inflightBytes(): Bytes {
    return this.#inflight;
  }

  /** Bytes that are known to have arrived, in whatever order. */
  get arrivedBytes(): Bytes {
    return this.#arrivedBytes;
  }

  /** True if a segment waits for its receiver to ask for it. */
  get hasHeld(): boolean {
    return this.#held > 0;
  }

  /** Instant at which one was held last. */
  get heldAt(): Instant {
    return this.#heldAt;
  }

  get hasLost(): boolean {
    return this.#lost > 0;
  }

  /** Segments that are lost and have not left again. */
  get lostSegments(): number {
    return this.#lost;
  }

  /** True if a segment may be added. */
  get hasRoom(): boolean {
    if (this.#end === this.#first) return true;
    if (this.#end - this.#first >= REORDER_SEGMENTS_MAX) return false;
    const last = this.#slot(this.#end - 1);
    const end = (this.#sequences[last] as number) + (this.#lengths[last] as number);
    return end - (this.#sequences[this.#slot(this.#first)] as number) < this.#spanMax;
  }

  /** Behind the last byte that is known to have arrived. */
  get arrivedUpTo(): number {
    return this.#arrivedUpTo;
  }

  /** Time to call {@link detectLosses}, or Infinity. */
  get deadline(): Instant {
    return this.#deadline;
  }

  /** Time for which a segment may be overtaken before it is taken for lost. */
  get reorderingWindow(): Duration {
    return this.#degree.window;
  }

  /** T is known better. */
  onBaseRtt(baseRtt: Duration): void {
    this.#degree.onBaseRtt(baseRtt);
  }

  /** The host did not run for so long, which does not count as time for which anything is missing. */
  handleStandstill(duration: Duration): void {
    for (let i = this.#first; i < this.#end; i++) {
      const slot = this.#slot(i);
      this.#sentAt[slot] = (this.#sentAt[slot] as number) + duration;
    }
    this.#deadline += duration;
    this.#degree.handleStandstill(duration);
  }

  /** A new segment leaves, behind all others. */
  send(now: Instant, sequence: number, length: Bytes): void {
    if (this.#end - this.#first === this.#capacity) this.#grow();
    const slot = this.#slot(this.#end++);
    this.#sequences[slot] = sequence;
    this.#lengths[slot] = length;
    this.#sentAt[slot] = now;
    this.#states[slot] = IN_FLIGHT;
    this.#inflight += length;
  }

  /** The first lost segment, which leaves again now; only if {@link hasLost}. */
  sendAgain(now: Instant): { readonly sequence: number; readonly length: Bytes } {
    assert(this.#lost > 0, 'a segment is sent again only when one is lost');
    while (this.#states[this.#slot(this.#lostFrom)] !== LOST) this.#lostFrom++;
    const slot = this.#slot(this.#lostFrom++);
    const length = this.#lengths[slot] as number;
    this.#lost--;
    this.#states[slot] = IN_FLIGHT_AGAIN;
    this.#sentAt[slot] = now;
    this.#inflight += length;
    return { sequence: this.#sequences[slot] as number, length };
  }

  /** Everything before `sequence` has arrived. Returns whether that is news. */
  acknowledge(now: Instant, sequence: number): boolean {
    const before = this.#first;
    while (this.#first < this.#end) {
      const slot = this.#slot(this.#first);
      const end = (this.#sequences[slot] as number) + (this.#lengths[slot] as number);
      if (end > sequence) break;
      if (this.#states[slot] !== ARRIVED) this.#onArrival(now, slot);
      this.#first++;
    }
    if (this.#lostFrom < this.#first) this.#lostFrom = this.#first;
    if (this.#arrivedUpTo < sequence) this.#arrivedUpTo = sequence;
    if (this.#first === this.#end) this.#deadline = Infinity;
    else this.#mistrustFirst();
    return this.#first > before;
  }

  /** The segments that lie in `block` have arrived. Returns whether that is news. */
  acknowledgeBlock(now: Instant, { from, to }: SackBlock): boolean {
    let isNews = false;
    for (let i = this.#indexOf(from); i < this.#end; i++) {
      const slot = this.#slot(i);
      if ((this.#sequences[slot] as number) + (this.#lengths[slot] as number) > to) break;
      if (this.#states[slot] === ARRIVED) continue;
      this.#onArrival(now, slot);
      this.#states[slot] = ARRIVED;
      isNews = true;
    }
    if (isNews && this.#arrivedUpTo < to) this.#arrivedUpTo = to;
    return isNews;
  }

  /**
   * The segment at `sequence` has not arrived, as its receiver knows.
   * @param isRepeated it was sent again; of two copies only the one in flight counts.
   * @returns whether that is news.
   */
  lose(sequence: number, isRepeated: boolean): boolean {
    const index = this.#indexOf(sequence);
    if (index === this.#end) return false;
    const slot = this.#slot(index);
    if (this.#sequences[slot] !== sequence) return false;
    if (this.#states[slot] !== (isRepeated ? IN_FLIGHT_AGAIN : IN_FLIGHT)) return false;
    this.#lose(index);
    return true;
  }

  /** The same of a segment that is not to be sent again before {@link release}. */
  hold(now: Instant, sequence: number, isRepeated: boolean): boolean {
    this.#heldAt = now;
    if (!this.lose(sequence, isRepeated)) return false;
    this.#states[this.#slot(this.#indexOf(sequence))] = HELD;
    this.#lost--;
    this.#held++;
    return true;
  }

  /** The receiver asks for a segment that was held. Returns false if none was there. */
  release(sequence: number): boolean {
    const index = this.#indexOf(sequence);
    const slot = this.#slot(index);
    const isThere = index < this.#end && this.#sequences[slot] === sequence;
    if (!isThere || this.#states[slot] !== HELD) return false;
    this.#toLost(index);
    return true;
  }

  /** Takes for lost what has been overtaken for too long; after acknowledgements, and when due. */
  detectLosses(now: Instant): void {
    if (this.#first === this.#end) return;
    if (now < this.#deadline && (this.#deadline !== Infinity || !this.#isAnythingMissing())) return;
    let deadline = Infinity;
    for (let i = this.#first; i < this.#end; i++) {
      const slot = this.#slot(i);
      const sentAt = this.#sentAt[slot] as number;
      if ((this.#states[slot] as number) >= ARRIVED) continue;
      if (!this.#degree.isOvertaken(sentAt, this.#sequences[slot] as number)) continue;
      const lostFrom = this.#degree.lostFrom(sentAt);
      if (lostFrom <= now) this.#miss(now, i);
      else if (lostFrom < deadline) deadline = lostFrom;
    }
    this.#deadline = deadline;
  }

  /** Nothing was heard for long: all that is in flight is taken for lost. */
  loseAll(now: Instant): void {
    this.#deadline = Infinity;
    for (let i = this.#first; i < this.#end; i++) {
      const state = this.#states[this.#slot(i)] as number;
      if (state < ARRIVED) this.#miss(now, i);
      else if (state === HELD) this.#toLost(i);
    }
  }

  /**
   * PERF: asked for every acknowledgement; in order the first segment is not overtaken. Unless it was lost
   * before, none left sooner, so that no other one is overtaken either.
   */
  #isAnythingMissing(): boolean {
    const slot = this.#slot(this.#first);
    if (this.#states[slot] !== IN_FLIGHT) return true;
    const sequence = this.#sequences[slot] as number;
    return this.#degree.isOvertaken(this.#sentAt[slot] as number, sequence);
  }

  /** No receiver misses what it has said that it has; whoever says so gets the segment again. */
  #mistrustFirst(): void {
    const slot = this.#slot(this.#first);
    if (this.#states[slot] !== ARRIVED) return;
    this.#states[slot] = LOST;
    this.#lost++;
    this.#lostFrom = this.#first;
  }

  #onArrival(now: Instant, slot: number): void {
    const sentAt = this.#sentAt[slot] as number;
    const sequence = this.#sequences[slot] as number;
    const state = this.#states[slot];
    this.#arrivedBytes += this.#lengths[slot] as number;
    if (state === HELD) {
      this.#held--;
      return;
    }
    if (state === LOST) {
      this.#lost--;
      this.#degree.onLateArrival(now);
      return;
    }
    this.#inflight -= this.#lengths[slot] as number;
    if (state === IN_FLIGHT) this.#degree.onArrival(now, sentAt, sequence);
    else this.#degree.onRepeatedArrival(now, sentAt, sequence);
  }

  #miss(now: Instant, index: number): void {
    this.#lose(index);
    this.#onLost?.(now, this.#sequences[this.#slot(index)] as number);
  }

  #lose(index: number): void {
    const slot = this.#slot(index);
    this.#inflight -= this.#lengths[slot] as number;
    this.#states[slot] = LOST;
    this.#lost++;
    if (index < this.#lostFrom) this.#lostFrom = index;
  }

  #toLost(index: number): void {
    this.#states[this.#slot(index)] = LOST;
    this.#held--;
    this.#lost++;
    if (index < this.#lostFrom) this.#lostFrom = index;
  }

  /** Number of the first segment that begins at `sequence` or later. */
  #indexOf(sequence: number): number {
    let low = this.#first;
    let high = this.#end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#sequences[this.#slot(middle)] as number) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The capacity is a power of two, so that numbers above 2^31 find their slots too. */
  #slot(index: number): number {
    return index & (this.#capacity - 1);
  }

  #grow(): void {
    const capacity = 2 * this.#capacity;
    this.#sequences = this.#moved(this.#sequences, new Float64Array(capacity));
    this.#sentAt = this.#moved(this.#sentAt, new Float64Array(capacity));
    this.#lengths = this.#moved(this.#lengths, new Uint32Array(capacity));
    this.#states = this.#moved(this.#states, new Uint8Array(capacity));
    this.#capacity = capacity;
  }

  #moved<Column extends Float64Array | Uint32Array | Uint8Array>(old: Column, to: Column): Column {
    for (let i = this.#first; i < this.#end; i++) {
      to[i & (to.length - 1)] = old[this.#slot(i)] as number;
    }
    return to;
  }
}
