import { InputError } from '../../../common/errors';

type Rerun<Result> = (signal: AbortSignal) => Promise<Result>;

/**
 * Runs that are repeated for readers: one at a time, since each takes a processor and the memory of a
 * whole run. One more may wait.
 */
export class Reruns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /**
   * @param client ends the run, or its waiting, when the client has gone.
   * @throws InputError when another one waits already.
   */
  async take<Result>(client: AbortSignal, rerun: Rerun<Result>): Promise<Result> {
    if (this.#count >= PLACES) {
      throw new InputError('two runs are being repeated already: try again when one has ended');
    }
    this.#count++;
    const before = this.#last;
    const result = before.then(() => {
      client.throwIfAborted();
      return rerun(client);
    });
    this.#last = result.then(nothing, nothing);
    try {
      return await result;
    } finally {
      this.#count--;
    }
  }
}

/** One that runs, one that waits. */
const PLACES = 2;

const nothing = (): void => undefined;
