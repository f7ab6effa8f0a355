import type { Duration, Instant } from '../../common/units/units';

/** Timeouts double up to this factor, so that a broken path is not flooded. */
const BACKOFF_MAX = 64;

/** Runs while bytes are unacknowledged; progress restarts it and ends the back-off. */
export class RetransmissionTimer {
  readonly #timeout: Duration;
  #backoff = 1;
  #deadline: Instant | undefined = undefined;

  constructor(timeout: Duration) {
    this.#timeout = timeout;
  }

  /** When the timer fires, or undefined while it is stopped. */
  get deadline(): Instant | undefined {
    return this.#deadline;
  }

  /** Something was sent; only the first of the outstanding packets starts the timer. */
  onSend(now: Instant): void {
    this.#deadline ??= now + this.#timeout * this.#backoff;
  }

  /** New bytes were acknowledged. */
  onProgress(now: Instant, isAnythingOutstanding: boolean): void {
    this.#backoff = 1;
    this.#deadline = isAnythingOutstanding ? now + this.#timeout : undefined;
  }

  /** Whether the timer has fired; if so it stops until the next packet is sent. */
  hasFired(now: Instant): boolean {
    if (this.#deadline === undefined || now < this.#deadline) return false;
    this.#deadline = undefined;
    this.#backoff = Math.min(this.#backoff * 2, BACKOFF_MAX);
    return true;
  }

  /** Going back leaves nothing outstanding; the back-off stays. */
  stop(): void {
    this.#deadline = undefined;
  }
}
