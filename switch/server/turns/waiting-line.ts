import { RpcError } from '../../../common/p4runtime/codes';
import type { LimitName, Limits } from '../limits/limits';
import type { Turns } from './turns';

export interface LineOptions {
  readonly limits: Limits;
  /** How many are served at a time. */
  readonly atOnce: number;
  /** Which limit bounds those that wait. */
  readonly waiting: LimitName;
  /** What waits, in the plural. */
  readonly what: string;
  /** Whoever has waited begins at its next turn. */
  readonly turns: Turns;
}

/** Serves callers in the order in which they came, a few at a time. */
export class WaitingLine {
  #queue: { readonly start: () => void; readonly isGone: () => boolean }[] = [];
  #served = 0;

  constructor(private readonly options: LineOptions) {}

  /**
   * Does something when it is the caller's turn.
   * @param isGone whether the caller no longer waits; then its place may go to another.
   * @throws RpcError RESOURCE_EXHAUSTED when too many wait already, or what `act` throws.
   */
  async serve<Result>(act: () => Promise<Result>, isGone = (): boolean => false): Promise<Result> {
    const waits = this.#served >= this.options.atOnce;
    if (waits) await this.#wait(isGone);
    else this.#served += 1;
    try {
      // The answer to whoever came before leaves first, so that its client works meanwhile.
      if (waits) await this.options.turns.next();
      return await act();
    } finally {
      // Whoever comes next takes over the place, so nobody can slip in between.
      const next = this.#queue.shift();
      if (next === undefined) this.#served -= 1;
      else next.start();
    }
  }

  #wait(isGone: () => boolean): Promise<void> {
    const { limits, waiting, what } = this.options;
    const most = limits.of(waiting);
    if (this.#queue.length >= most) this.#queue = this.#queue.filter((each) => !each.isGone());
    if (this.#queue.length < most) {
      return new Promise((start) => this.#queue.push({ start, isGone }));
    }
    limits.met(waiting);
    const reason = `${this.#queue.length} ${what} wait already (limit ${waiting})`;
    throw new RpcError('RESOURCE_EXHAUSTED', reason);
  }
}
