import type { Duration, Instant } from '../units/units';

/** Times of a watchdog for pauses. */
export interface StormTimes {
  /** A queue whose packets have been kept back by pauses for so long is in a storm. */
  readonly detect: Duration;
  /** The storm ends when the queue has not been paused for so long. */
  readonly restore: Duration;
}

/**
 * The watchdog of one queue of a switch or host. Pauses of a neighbour that keeps its promise end when its memory
 * has drained; one that never lets a packet go, be it broken or hostile, stops a host for ever, or fills the memory
 * of a switch and so stops everybody.
 *
 *     packets wait, paused --detect--> storm --not paused for restore--> watching again
 *          ^    | one leaves
 *          +----+
 */
export class StormWatch {
  readonly #times: StormTimes;
  /** Since when packets wait and pauses have let none of them go; Infinity while that is not so. */
  #stuckSince: Instant = Infinity;
  #isStorm = false;

  constructor(times: StormTimes) {
    this.#times = times;
  }

  get isStorm(): boolean {
    return this.#isStorm;
  }

  /** Instant at which the state may change by itself; Infinity: not without an event. */
  dueAt(pausedUntil: Instant): Instant {
    return this.#isStorm
      ? pausedUntil + this.#times.restore
      : this.#stuckSince + this.#times.detect;
  }

  /** Notes that a packet waits in a queue that is paused. */
  noteHeld(now: Instant): void {
    if (!this.#isStorm && this.#stuckSince > now) this.#stuckSince = now;
  }

  /** Notes that a packet has left, or that none waits. */
  noteProgress(): void {
    this.#stuckSince = Infinity;
  }

  /** Looks at the clock; returns the change that is due. */
  look(now: Instant, pausedUntil: Instant): 'began' | 'ended' | undefined {
    const due = this.dueAt(pausedUntil);
    if (now < due) return undefined;
    // Whoever looks late, as a process that was stopped does, may find that the pause ended before.
    const isPast = !this.#isStorm && pausedUntil < due;
    this.#stuckSince = Infinity;
    if (isPast) return undefined;
    this.#isStorm = !this.#isStorm;
    return this.#isStorm ? 'began' : 'ended';
  }
}
