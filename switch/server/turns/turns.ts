/** Work that can be interrupted wherever it yields. */
export type Work<Result> = Generator<undefined, Result>;

/** Time for which control work goes on before packets have their turn, in ms. */
const SLICE_MS = 1;

/** Time as the turns see it; tests hand in their own. */
export interface TurnClock {
  /** Milliseconds, with fractions. */
  now(): number;
  /** Calls `resume` after all that waits now, packets among it, has had its turn. */
  soon(resume: () => void): void;
}

const MACHINE: TurnClock = {
  now: () => performance.now(),
  soon: (resume) => void setImmediate(resume),
};

/**
 * Cuts long control work into slices, so that the forwarding of packets on the same thread never
 * waits for it: in each round of the event loop, all control work together gets one slice, and those
 * that have not finished take turns.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #endsAt = 0;
  #isRunning = false;

  constructor(private readonly clock: TurnClock = MACHINE) {}

  /** True if the work that runs now must let others run. */
  get isOver(): boolean {
    const now = this.clock.now();
    if (!this.#isRunning) this.#begin(now);
    return now >= this.#endsAt;
  }

  /** Resolves at the caller's next turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning) this.#begin(this.clock.now());
    });
  }

  /** Does work to its end, with pauses. @throws what the work throws. */
  async run<Result>(work: Work<Result>): Promise<Result> {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (this.isOver) await this.next();
    }
  }

  #begin(now: number): void {
    this.#isRunning = true;
    this.#endsAt = now + SLICE_MS;
    this.clock.soon(this.#end);
  }

  readonly #end = (): void => {
    this.#isRunning = false;
    const resume = this.#waiting.shift();
    if (resume === undefined) return;
    this.#begin(this.clock.now());
    resume();
  };
}
