import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { PS_PER_SECOND } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';
import { HELD_MAX } from './resend-room';
import type { AskedSegment, ResendRoom } from './resend-room';

/** Bandwidth-delay products that are asked for at once; what is above one waits in the queue and covers what is late. */
const WINDOW_BDPS = 1.1;
/** Base RTTs after which an asked segment is taken for lost on its way, and another one has its room. */
const PATIENCE_RTTS = 8;

/**
 * Room on a receiver's link for what was trimmed and for turns, by a window: only so much is asked for as the link
 * carries in a round trip, and each arrival makes room for the next. A queue that stands in front of the link delays
 * arrivals, so that less is asked for until it is gone; promises by the clock (ResendSchedule) would keep it.
 */
export class AskedWindow<Segment> implements ResendRoom<Segment> {
  readonly #window: Bytes;
  readonly #patience: Duration;
  readonly #heldMax: number;
  readonly #held = new Fifo<{ readonly segment: Segment; readonly bytes: Bytes }>();
  /** Asked for, in that order; those at the front are open. */
  readonly #asked = new Fifo<AskedSegment>();
  #askedBytes: Bytes = 0;

  constructor(linkRate: BitsPerSecond, baseRtt: Duration, heldMax = HELD_MAX) {
    this.#window = (WINDOW_BDPS * linkRate * baseRtt) / (8 * PS_PER_SECOND);
    this.#patience = PATIENCE_RTTS * baseRtt;
    this.#heldMax = heldMax;
  }

  hold(_now: Instant, bytes: Bytes, segment: Segment): boolean {
    if (this.#held.length >= this.#heldMax) return false;
    if (this.#held.isEmpty && this.#fits(bytes)) return false;
    this.#held.push({ segment, bytes });
    return true;
  }

  isBusy(): boolean {
    return !this.#held.isEmpty;
  }

  get nextAt(): Instant {
    const next = this.#held.peek();
    if (next === undefined) return Infinity;
    if (this.#fits(next.bytes)) return 0;
    return (this.#asked.peek()?.askedAt ?? 0) + this.#patience;
  }

  take(now: Instant): Segment | undefined {
    const next = this.#held.peek();
    if (next === undefined) return undefined;
    this.#forgetOld(now);
    return this.#fits(next.bytes) ? this.#held.take()?.segment : undefined;
  }

  noteAsked(
    now: Instant,
    asked: AskedSegment[],
    { bytes, sequence, isTurn }: Pick<AskedSegment, 'bytes' | 'sequence' | 'isTurn'>,
  ): void {
    // More than fits is asked for only where no more can be held, and is not remembered.
    if (!this.#fits(bytes)) return;
    while (asked[0]?.isOpen === false) asked.shift();
    const segment = { bytes, askedAt: now, sequence, isTurn, isOpen: true };
    asked.push(segment);
    this.#asked.push(segment);
    this.#askedBytes += bytes;
  }

  noteArrived(asked: AskedSegment[], sequence: number): void {
    const at = asked.findIndex((one) =>
      one.isTurn ? sequence >= one.sequence : sequence === one.sequence,
    );
    if (at < 0) return;
    this.#close(asked[at] as AskedSegment);
    asked.splice(at, 1);
  }

  noteFinished(asked: AskedSegment[]): void {
    for (const segment of asked.splice(0)) this.#close(segment);
  }

  /** One segment at least, however short the round trip is. */
  #fits(bytes: Bytes): boolean {
    return this.#askedBytes === 0 || this.#askedBytes + bytes <= this.#window;
  }

  #close(segment: AskedSegment): void {
    if (!segment.isOpen) return;
    segment.isOpen = false;
    this.#askedBytes -= segment.bytes;
    while (this.#asked.peek()?.isOpen === false) this.#asked.take();
  }

  #forgetOld(now: Instant): void {
    for (;;) {
      const oldest = this.#asked.peek();
      if (oldest === undefined || now - oldest.askedAt < this.#patience) return;
      this.#close(oldest);
    }
  }
}
