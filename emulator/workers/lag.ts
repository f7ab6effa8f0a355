/** Words of the memory of a lag. */
const READ = 0;
export const LAG_WORDS = 1;

/** Batches of each worker that may wait: one that is read, and one behind it. */
const BATCHES_MAX = 2;
/** How long a worker sleeps before it looks whether the run has been ended. */
const NAP_MS = 500;

/**
 * How far who reads what the workers have observed is behind them. They wait for it where that is too
 * far, so that what is on its way takes no more memory in a long run than in a short one.
 */
export class Lag {
  readonly #words: Int32Array;

  /** @param memory shared by all, {@link LAG_WORDS} words of 32 bits, 0 at the beginning */
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /**
   * Of a worker that has sent so many batches: returns when enough of them have been read.
   * @param check throws where the run has been ended, so that nobody reads any more
   */
  wait(sent: number, check: () => void): void {
    for (;;) {
      check();
      const read = Atomics.load(this.#words, READ);
      if (sent - read <= BATCHES_MAX) return;
      Atomics.wait(this.#words, READ, read, NAP_MS);
    }
  }

  /** Of the reader: so many more batches of each worker have been read. */
  advance(batches: number): void {
    Atomics.add(this.#words, READ, batches);
    Atomics.notify(this.#words, READ);
  }
}
