/** Words of the memory of a backlog. */
const READ = 0;
export const BACKLOG_WORDS = 1;

/** Batches of each worker that may wait: one that is read, and one behind it. */
const BATCHES_MAX = 2;
/** Longest sleep of a worker before it looks whether the run has been ended. */
const NAP_MS = 500;

/**
 * Number of batches that workers have sent and their reader has not read. Workers wait where it is too
 * large, so that a long run takes no more memory than a short one.
 */
export class Backlog {
  readonly #words: Int32Array;

  /** @param memory shared by all, {@link BACKLOG_WORDS} words of 32 bits, 0 at the beginning */
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /**
   * Called by a worker that has sent so many batches: returns when enough of them have been read.
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

  /** Called by the reader: so many more batches of each worker have been read. */
  advance(batches: number): void {
    Atomics.add(this.#words, READ, batches);
    Atomics.notify(this.#words, READ);
  }
}
