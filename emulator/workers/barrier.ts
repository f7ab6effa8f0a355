/** Words of the memory of a barrier. */
const ARRIVED = 0;
const ROUND = 1;
const BROKEN = 2;
const STOP = 3;
export const BARRIER_WORDS = 4;

/** Above the time of a round of a busy network, and far below the time that a sleep costs. */
const SPINS = 4000;
/** Longest sleep before looking again, so that the death of a worker is noticed. */
const NAP_MS = 500;

/** Another worker, or the starter, has ended the run. */
export class BrokenBarrier extends Error {}

/**
 * Barrier at which the workers of a run wait for each other between two windows of virtual time.
 * PERF: a waiting worker spins for a while, which takes less than a microsecond where all come
 * together, and then sleeps.
 */
export class Barrier {
  readonly #words: Int32Array;
  readonly #workers: number;
  readonly #spins: number;

  /**
   * @param memory shared by all, {@link BARRIER_WORDS} words of 32 bits, 0 at the beginning
   * @param hasCores whether each worker has a core, so that looking takes no time from the others
   */
  constructor(memory: SharedArrayBuffer, workers: number, hasCores: boolean) {
    this.#words = new Int32Array(memory);
    this.#workers = workers;
    this.#spins = hasCores ? SPINS : 0;
  }

  /**
   * Returns when all workers have come.
   * @throws BrokenBarrier when one of them will not come.
   */
  pass(): void {
    const words = this.#words;
    const round = Atomics.load(words, ROUND);
    if (Atomics.add(words, ARRIVED, 1) === this.#workers - 1) {
      Atomics.store(words, ARRIVED, 0);
      Atomics.add(words, ROUND, 1);
      Atomics.notify(words, ROUND);
    } else {
      this.#sleep(round);
    }
    this.check();
  }

  /** @throws BrokenBarrier when the run has been ended. */
  check(): void {
    if (Atomics.load(this.#words, BROKEN) !== 0)
      throw new BrokenBarrier('the run was ended by another worker');
  }

  #sleep(round: number): void {
    const words = this.#words;
    for (let spins = this.#spins; spins > 0; spins--) {
      if (Atomics.load(words, ROUND) !== round) return;
    }
    while (Atomics.load(words, ROUND) === round && Atomics.load(words, BROKEN) === 0) {
      Atomics.wait(words, ROUND, round, NAP_MS);
    }
  }

  /** Ends the run of all workers, waiting ones included. */
  break(): void {
    Atomics.store(this.#words, BROKEN, 1);
    Atomics.notify(this.#words, ROUND);
  }

  /** Asks the workers to end the run behind the present window. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  /** True if {@link stop} has been called. Workers may see it at different times. */
  get isStopping(): boolean {
    return Atomics.load(this.#words, STOP) !== 0;
  }
}
