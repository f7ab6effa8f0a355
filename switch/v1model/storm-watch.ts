import type { Instant } from '../../common/units/units';
import type { StormAction, WatchdogOptions } from '../buffer/storm-options';

/**
 * The watchdog of one queue. Pauses of a neighbour that keeps its promise end when its memory has drained; one
 * that never lets a packet go, be it broken or hostile, fills the memory of the switch and so stops everybody.
 *
 *     packets wait, paused --detect--> storm --not paused for restore--> watching again
 *          ^    | one leaves
 *          +----+
 */
export class StormWatch {
  readonly #o: WatchdogOptions;
  /** Since when packets wait and pauses have let none of them go; Infinity while that is not so. */
  #stuckSince: Instant = Infinity;
  #since: Instant = 0;
  #isStorm = false;

  constructor(options: WatchdogOptions) {
    this.#o = options;
  }

  get action(): StormAction {
    return this.#o.action;
  }

  /** When the present storm began; undefined without one. */
  get stormSince(): Instant | undefined {
    return this.#isStorm ? this.#since : undefined;
  }

  /** Instant at which the state may change by itself; Infinity: not without an event. */
  dueAt(pausedUntil: Instant): Instant {
    return this.#isStorm ? pausedUntil + this.#o.restore : this.#stuckSince + this.#o.detect;
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
    if (now < this.dueAt(pausedUntil)) return undefined;
    this.#isStorm = !this.#isStorm;
    this.#stuckSince = Infinity;
    if (!this.#isStorm) return 'ended';
    this.#since = now;
    return 'began';
  }
}
