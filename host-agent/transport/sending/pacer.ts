import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { serialisationTime } from '../../../common/units/units';

/**
 * Spaces the packets of one flow. The next packet may start once the last one, from its start,
 * would have been sent at the flow's rate. A change of rate re-times the packet that is already
 * waiting, from the same start; otherwise a burst at the old rate would leak out.
 *
 * A packet that had to wait for the interface counts from when it could have started: the flow keeps
 * the time that it lost as credit, of at most one packet, so that its rate is what was asked for
 * however many flows share the interface.
 */
export class Pacer {
  /** PERF: a field without a number at first costs an object per change. */
  #rate: BitsPerSecond = NaN;
  #lastStart: Instant = 0;
  #lastLength: Bytes = 0;
  #nextStart: Instant = 0;

  constructor(rate: BitsPerSecond) {
    this.#rate = rate;
  }

  /** Earliest start of the next packet, in ps. */
  get nextStart(): Instant {
    return this.#nextStart;
  }

  /** A packet of `length` wire bytes starts `now`; it could have started at `readyAt`. */
  onSend(now: Instant, length: Bytes, readyAt: Instant = now): void {
    const isFirst = this.#lastLength === 0;
    this.#lastLength = length;
    const credited = now - this.#spacing();
    if (isFirst) this.#lastStart = now;
    else this.#lastStart = readyAt > credited ? readyAt : credited;
    this.#nextStart = this.#lastStart + this.#spacing();
  }

  /** Bytes beside the flow's data, such as probes, use up its rate too. */
  charge(length: Bytes): void {
    this.#lastLength += length;
    this.#nextStart = this.#lastStart + this.#spacing();
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
