import type { Clock } from '../../../common/io/monotonic-clock';
import { Readiness } from '../../../common/io/net/readiness';
import type { Duration, Instant } from '../../../common/units/units';
import { milliseconds, PS_PER_NS } from '../../../common/units/units';

/** With nothing to wait for, a loop still looks around now and then. */
const SLEEP_MAX: Duration = milliseconds(100);

/** What a round has found: nothing; something; or so much that more may wait already. */
export type Arrival = 'none' | 'some' | 'more';

/** What is driven by the machine's clock. */
export interface LiveWork {
  /** Handles what has arrived, does what is due and sends. */
  round(now: Instant): Arrival;
  /** When something is due next, unless something arrives before. */
  nextAt(now: Instant): Instant;
  /** Called once, when no round will follow. */
  finish(): void;
}

/** How a loop shares its thread with the timers and servers of the process. */
export interface Pace {
  /** Rounds before the others get their turn, and how long these may last. */
  readonly rounds: number;
  readonly turnMax: Duration;
  /**
   * How long the thread may sleep with everything on it. Timers come so much later, which nobody
   * notices; a sleep on a thread of its own costs more than the frame that ends it.
   */
  readonly napMax: Duration;
  /** Whole naps in which nothing arrived, before the work counts as idle. */
  readonly idleNaps: number;
}

export interface LiveLoopOptions {
  readonly clock: Clock;
  readonly work: LiveWork;
  readonly pace: Pace;
  /** Sockets whose frames end any sleep, and those that are only looked at after naps. */
  readonly fds: { readonly urgent: readonly number[]; readonly other?: readonly number[] };
  /** Called once when the work cannot go on; it is finished then. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Drives work in turns. Between rounds without news it naps on the thread of the process; when it
 * stays idle it sleeps on another thread until something arrives or is due.
 */
export class LiveLoop {
  readonly #o: LiveLoopOptions;
  readonly #naps: Readiness;
  readonly #sleep: Readiness;
  #quietNaps = 0;
  #isRunning = false;
  #isFinished = false;
  #onStopped: (() => void) | undefined;

  constructor(options: LiveLoopOptions) {
    this.#o = options;
    const { urgent, other = [] } = options.fds;
    this.#naps = new Readiness(urgent);
    this.#sleep = new Readiness([...urgent, ...other]);
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  start(): void {
    this.#isRunning = true;
    setImmediate(this.#turn);
  }

  /** Something may be due earlier than the work has said. */
  wake(): void {
    if (!this.#isFinished) this.#sleep.wake();
  }

  /** Resolves when the work is finished, also that which has not been started. */
  stop(): Promise<void> {
    if (!this.#isRunning) {
      this.#finish();
      return Promise.resolve();
    }
    this.#isRunning = false;
    return new Promise((resolve) => {
      this.#onStopped = resolve;
      this.#sleep.wake();
    });
  }

  readonly #turn = (): void => {
    if (!this.#isRunning) {
      this.#finish();
      return;
    }
    try {
      this.#work();
    } catch (error) {
      this.#isRunning = false;
      this.#finish();
      this.#o.onFailure(error);
      return;
    }
    if (this.#isIdle) this.#sleep.wait(Math.max(0, this.#untilDue(SLEEP_MAX)), this.#turn);
    else setImmediate(this.#turn);
  };

  get #isIdle(): boolean {
    return this.#quietNaps >= this.#o.pace.idleNaps;
  }

  #work(): void {
    const { clock, work, pace } = this.#o;
    const napMaxNs = pace.napMax / PS_PER_NS;
    let now = clock();
    const endsAt = now + pace.turnMax;
    for (let round = 0; round < pace.rounds && now < endsAt; round++, now = clock()) {
      const arrival = work.round(now);
      if (arrival !== 'none') this.#quietNaps = 0;
      if (arrival === 'more') continue;
      const napNs = this.#untilDue(pace.napMax);
      if (napNs <= 0) continue;
      if (arrival === 'none') this.#quietNaps = napNs < napMaxNs ? 0 : this.#quietNaps + 1;
      if (this.#isIdle) return;
      this.#naps.waitHere(napNs);
    }
  }

  /** In nanoseconds. */
  #untilDue(longest: Duration): number {
    const now = this.#o.clock();
    return Math.min(longest, this.#o.work.nextAt(now) - now) / PS_PER_NS;
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    try {
      this.#o.work.finish();
    } finally {
      this.#naps.close();
      this.#sleep.close();
      this.#onStopped?.();
    }
  }
}
