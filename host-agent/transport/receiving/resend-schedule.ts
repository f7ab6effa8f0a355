import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { serialisationTime } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';
import { HELD_MAX } from './resend-room';
import type { ResendRoom } from './resend-room';

/**
 * Room on a receiver's link for data that was trimmed. Senders that all repeat at once would find the same queue full
 * again, and their headers, which go first, would leave no room for data: so each is promised its share of the link.
 *
 * Frames that come without a promise take room of others. These are trimmed then, and are promised room anew: counting
 * both would leave the link idle.
 */
export class ResendSchedule<Segment> implements ResendRoom<Segment> {
  readonly #linkRate: BitsPerSecond;
  readonly #baseRtt: Duration;
  readonly #heldMax: number;
  /** All of the link until then has been promised. */
  #promisedUntil: Instant = 0;
  /** Segments to be asked for later, in the order of their instants. */
  readonly #held = new Fifo<{ readonly segment: Segment; readonly at: Instant }>();

  constructor(linkRate: BitsPerSecond, baseRtt: Duration, heldMax = HELD_MAX) {
    this.#linkRate = linkRate;
    this.#baseRtt = baseRtt;
    this.#heldMax = heldMax;
  }

  /**
   * Promises room for the frame of a segment.
   * @returns true if {@link take} gives the segment when its sender is to be asked; false if it is to be asked now.
   */
  hold(now: Instant, bytes: Bytes, segment: Segment): boolean {
    if (this.#held.length >= this.#heldMax) return false;
    const start = Math.max(now, this.#promisedUntil);
    this.#promisedUntil = start + serialisationTime(bytes, this.#linkRate);
    // What leaves its sender within a round trip finds room in the queue.
    if (start - now <= this.#baseRtt) return false;
    this.#held.push({ segment, at: start - this.#baseRtt });
    return true;
  }

  /** True if segments have to wait. */
  isBusy(now: Instant): boolean {
    return this.#promisedUntil - now > this.#baseRtt;
  }

  /** When {@link take} has a segment; Infinity if none waits. */
  get nextAt(): Instant {
    return this.#held.peek()?.at ?? Infinity;
  }

  /** The next segment whose turn has come. */
  take(now: Instant): Segment | undefined {
    return this.nextAt <= now ? this.#held.take()?.segment : undefined;
  }
}
