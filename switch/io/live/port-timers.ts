import type { Instant, PortNumber } from '../../../common/units/units';

/**
 * When ports want to be called again. Few ports wait at a time, so a list is the fastest heap.
 *
 * PERF: instants in an array of their own cost no allocation, and every packet has one.
 */
export class PortTimers {
  readonly #ports: PortNumber[] = [];
  readonly #instants: Instant[] = [];

  schedule(port: PortNumber, at: Instant): void {
    this.#ports.push(port);
    this.#instants.push(at);
  }

  /** The earliest instant that somebody waits for. */
  next(): Instant | undefined {
    return this.#instants[this.#earliestIndex()];
  }

  /**
   * Calls `handle` for all that is due at `now`, in order of time, also what that adds; returns how
   * often.
   * @param handle gets the instant that the port wanted, which is `now` or earlier.
   */
  run(now: Instant, handle: (port: PortNumber, at: Instant) => void): number {
    const [ports, instants] = [this.#ports, this.#instants];
    for (let count = 0; ; count++) {
      const index = this.#earliestIndex();
      const [port, at] = [ports[index], instants[index]];
      if (port === undefined || at === undefined || at > now) return count;
      removeAt(ports, index);
      removeAt(instants, index);
      handle(port, at);
    }
  }

  /** Of equal instants, the one that was asked for first. */
  #earliestIndex(): number {
    const instants = this.#instants;
    let best = 0;
    for (let i = 1; i < instants.length; i++) {
      if ((instants[i] as Instant) < (instants[best] as Instant)) best = i;
    }
    return best;
  }
}

/** Without the list that `splice` makes. */
function removeAt(list: number[], index: number): void {
  for (let i = index + 1; i < list.length; i++) list[i - 1] = list[i] as number;
  list.length--;
}
