import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { serialisationTime } from '../../common/units/units';

/**
 * Spaces the packets of one flow. The next packet may start once the last one, from its start,
 * would have been sent at the flow's rate. A change of rate re-times the packet that is already
 * waiting, from the same start; otherwise a burst at the old rate would leak out.
 */
export class Pacer {
  #rate: BitsPerSecond;
  #lastStart: Instant = 0;
  #lastLength: Bytes = 0;
  #nextStart: Instant = 0;

  constructor(rate: BitsPerSecond) {
    this.#rate = rate;
  }

  /** When the next packet may start, in ps. */
  get nextStart(): Instant {
    return this.#nextStart;
  }

  /** A packet of `length` wire bytes starts now. */
  onSend(now: Instant, length: Bytes): void {
    this.#lastStart = now;
    this.#lastLength = length;
    this.#nextStart = now + this.#spacing();
  }

  setRate(rate: BitsPerSecond): void {
    if (rate === this.#rate) return;
    this.#rate = rate;
    this.#nextStart = this.#lastStart + this.#spacing();
  }

  #spacing(): Duration {
    return this.#lastLength === 0 ? 0 : serialisationTime(this.#lastLength, this.#rate);
  }
}
