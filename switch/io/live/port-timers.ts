import type { Instant, PortNumber } from '../../../common/units/units';

/** When ports want to be called again. Few ports wait at a time, so a list is the fastest heap. */
export class PortTimers {
  readonly #waiting: { port: PortNumber; at: Instant }[] = [];

  schedule(port: PortNumber, at: Instant): void {
    this.#waiting.push({ port, at });
  }

  /** The earliest instant that somebody waits for. */
  next(): Instant | undefined {
    let earliest: Instant | undefined;
    for (const { at } of this.#waiting) {
      if (earliest === undefined || at < earliest) earliest = at;
    }
    return earliest;
  }

  /**
   * Calls `handle` for all that is due at `now`, in order of time, also what that adds; returns how
   * often.
   * @param handle gets the instant that the port wanted, which is `now` or earlier.
   */
  run(now: Instant, handle: (port: PortNumber, at: Instant) => void): number {
    for (let count = 0; ; count++) {
      const index = this.#earliestIndex();
      const timer = this.#waiting[index];
      if (timer === undefined || timer.at > now) return count;
      this.#waiting.splice(index, 1);
      handle(timer.port, timer.at);
    }
  }

  #earliestIndex(): number {
    let best = 0;
    this.#waiting.forEach(({ at }, i) => {
      if (at < (this.#waiting[best]?.at ?? Infinity)) best = i;
    });
    return best;
  }
}
