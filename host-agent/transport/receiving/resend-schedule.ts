import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { serialisationTime } from '../../../common/units/units';

/**
 * Room on a receiver's link for data that was trimmed. Senders that all repeat at once would find the same queue full
 * again, and their headers, which go first, would leave no room for data: so each is promised its share of the link.
 *
 * Frames that come without a promise take room of others. These are trimmed then, and are promised room anew: counting
 * both would leave the link idle.
 */
export class ResendSchedule {
  readonly #linkRate: BitsPerSecond;
  /** All of the link until then has been promised. */
  #promisedUntil: Instant = 0;

  constructor(linkRate: BitsPerSecond) {
    this.#linkRate = linkRate;
  }

  /** Promises room for a frame; returns how long its sender is to wait. */
  reserve(now: Instant, bytes: Bytes): Duration {
    const start = Math.max(now, this.#promisedUntil);
    this.#promisedUntil = start + serialisationTime(bytes, this.#linkRate);
    return start - now;
  }
}
