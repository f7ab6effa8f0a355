import type { BitsPerSecond, Duration, Instant } from '../../common/units/units';

/** Smaller changes are not worth a call of the kernel. */
const CHANGE_MIN = 0.01;

/** Decides which new rates of a class are set, so that the number of changes is bounded. */
export class RateGate {
  #rate: BitsPerSecond;
  #setAt: Instant;
  changes = 0;

  constructor(now: Instant, rate: BitsPerSecond) {
    this.#rate = rate;
    this.#setAt = now;
  }

  /** What the class has. */
  get rate(): BitsPerSecond {
    return this.#rate;
  }

  /**
   * Whether the class shall get this rate: if it differs by more than a hundredth, and at most once
   * in `interval`.
   */
  admit(now: Instant, rate: BitsPerSecond, interval: Duration): boolean {
    if (now - this.#setAt < interval) return false;
    if (Math.abs(rate - this.#rate) <= CHANGE_MIN * this.#rate) return false;
    this.#rate = rate;
    this.#setAt = now;
    this.changes++;
    return true;
  }
}
