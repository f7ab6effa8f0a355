import type { Duration, Instant } from '../../../common/units/units';

/** Timeouts double up to this factor, so that a broken path is not flooded. */
export const BACKOFF_MAX = 64;

/** No timeout that a measured round trip sets is shorter, in round trips. */
const TIMEOUT_RTTS = 3;

/** Runs while bytes are unacknowledged; progress restarts it and ends the back-off. */
export class RetransmissionTimer {
  #timeout: Duration;
  #backoff = 1;
  #deadline: Instant = Infinity;

  constructor(timeout: Duration) {
    this.#timeout = timeout;
  }

  /** The round trip is so long: the timeout must be several times that. */
  allowFor(roundTrip: Duration): void {
    this.#timeout = Math.max(this.#timeout, TIMEOUT_RTTS * roundTrip);
  }

  /** Time at which the timer fires; Infinity while it is stopped. PERF: undefined would cost an object per look. */
  get deadline(): Instant {
    return this.#deadline;
  }

  /** Something was sent; only the first of the outstanding packets starts the timer. */
  onSend(now: Instant): void {
    if (this.#deadline === Infinity) this.#deadline = now + this.#timeout * this.#backoff;
  }

  /** For so long the host could not have heard anything. */
  handleStandstill(duration: Duration): void {
    this.#deadline += duration;
  }

  /** New bytes were acknowledged. */
  onProgress(now: Instant, isAnythingOutstanding: boolean): void {
    this.#backoff = 1;
    this.#deadline = isAnythingOutstanding ? now + this.#timeout : Infinity;
  }

  /** True if the timer has fired; if so it stops until the next packet is sent. */
  hasFired(now: Instant): boolean {
    if (now < this.#deadline) return false;
    this.#deadline = Infinity;
    this.#backoff = Math.min(this.#backoff * 2, BACKOFF_MAX);
    return true;
  }

  /** Going back leaves nothing outstanding; the back-off stays. */
  stop(): void {
    this.#deadline = Infinity;
  }
}
