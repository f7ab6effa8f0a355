import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { PS_PER_SECOND } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';
import { HELD_MAX } from './resend-room';
import type { AskedSegment, ResendRoom, WantedSegment } from './resend-room';

/**
 * Bandwidth-delay products that are asked for at once; what is above one waits in the queue and covers what is late,
 * as segments are whose sender has others to send to.
 */
const WINDOW_BDPS = 1.25;
/** Base RTTs after which a segment that was asked for is asked for again, and how many times at most. */
const PATIENCE_RTTS = 8;
const TRIES_MAX = 8;

/**
 * Room on a receiver's link for what was trimmed and for turns, by a window: only so much is asked for as the link
 * carries in a round trip, and each arrival makes room for the next. A queue that stands in front of the link delays
 * arrivals, so that less is asked for until it is gone; promises by the clock (ResendSchedule) would keep it.
 */
export class AskedWindow<Segment extends WantedSegment> implements ResendRoom<Segment> {
  readonly #window: Bytes;
  readonly #patience: Duration;
  readonly #heldMax: number;
  readonly #held = new Fifo<Segment>();
  /** Asked for in vain, to be asked for once more before others. */
  readonly #missing = new Fifo<Segment>();
  /** Asked for, in that order; the first one is open. */
  readonly #asked = new Fifo<AskedSegment>();
  #askedBytes: Bytes = 0;

  constructor(linkRate: BitsPerSecond, baseRtt: Duration, heldMax = HELD_MAX) {
    this.#window = (WINDOW_BDPS * linkRate * baseRtt) / (8 * PS_PER_SECOND);
    this.#patience = PATIENCE_RTTS * baseRtt;
    this.#heldMax = heldMax;
  }

  hold(_now: Instant, bytes: Bytes, segment: Segment): boolean {
    if (this.#held.length >= this.#heldMax) return false;
    if (!this.isBusy() && this.#fits(bytes)) return false;
    this.#held.push(segment);
    return true;
  }

  isBusy(): boolean {
    return this.#next !== undefined;
  }

  get nextAt(): Instant {
    const next = this.#next;
    if (next !== undefined && this.#fits(next.bytes)) return 0;
    const oldest = this.#asked.peek();
    return oldest === undefined ? Infinity : oldest.askedAt + this.#patience;
  }

  take(now: Instant): Segment | undefined {
    this.#forgetOld(now);
    const next = this.#next;
    if (next === undefined || !this.#fits(next.bytes)) return undefined;
    return this.#missing.take() ?? this.#held.take();
  }

  noteAsked(now: Instant, asked: AskedSegment[], wanted: Segment, sequence: number): void {
    // More than fits is asked for only where no more can be held, and is not remembered.
    if (!this.#fits(wanted.bytes)) return;
    while (asked[0]?.isOpen === false) asked.shift();
    const segment = { wanted, sequence, askedAt: now, isOpen: true };
    asked.push(segment);
    this.#asked.push(segment);
    this.#askedBytes += wanted.bytes;
  }

  noteArrived(asked: AskedSegment[], arrived: number): void {
    if (asked.length === 0) return;
    const at = asked.findIndex(({ sequence, wanted }) =>
      wanted.isTurn ? arrived >= sequence : arrived === sequence,
    );
    if (at < 0) return;
    this.#close(asked[at] as AskedSegment);
    asked.splice(at, 1);
  }

  noteFinished(asked: AskedSegment[]): void {
    for (const segment of asked.splice(0)) this.#close(segment);
  }

  get #next(): Segment | undefined {
    return this.#missing.peek() ?? this.#held.peek();
  }

  /** One segment at least, however short the round trip is. */
  #fits(bytes: Bytes): boolean {
    return this.#askedBytes === 0 || this.#askedBytes + bytes <= this.#window;
  }

  #close(segment: AskedSegment): void {
    if (!segment.isOpen) return;
    segment.isOpen = false;
    this.#askedBytes -= segment.wanted.bytes;
    while (this.#asked.peek()?.isOpen === false) this.#asked.take();
  }

  /** Its request, or the word that it is held, may have been lost or overtaken: its sender is asked once more. */
  #forgetOld(now: Instant): void {
    for (;;) {
      const oldest = this.#asked.peek();
      if (oldest === undefined || now - oldest.askedAt < this.#patience) return;
      this.#close(oldest);
      const wanted = oldest.wanted as Segment;
      if (++wanted.tries <= TRIES_MAX) this.#missing.push(wanted);
    }
  }
}
