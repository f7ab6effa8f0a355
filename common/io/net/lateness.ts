/** Number of classes: waits of 1, 2, 4, … ms, up to 512 ms. */
const STEPS = 10;

/** Lateness of a process that fetches frames. */
export interface LatenessCounts {
  /** Turns in which it found frames. */
  readonly turns: number;
  /**
   * Turns in which the oldest frame had waited for so many milliseconds or longer, by milliseconds.
   */
  readonly waited: Readonly<Record<string, number>>;
}

/** Counts how long frames wait until they are fetched by a process that had no turn before. */
export class Lateness {
  #turns = 0;
  readonly #waited = new Array<number>(STEPS).fill(0);

  /** @param ms how long the oldest frame of a turn has waited. */
  note(ms: number): void {
    this.#turns++;
    for (let step = 0, from = 1; step < STEPS && ms >= from; step++, from *= 2) {
      this.#waited[step] = (this.#waited[step] as number) + 1;
    }
  }

  counts(): LatenessCounts {
    const waited = this.#waited.map((count, step) => [String(2 ** step), count] as const);
    return { turns: this.#turns, waited: Object.fromEntries(waited.filter(([, n]) => n > 0)) };
  }
}

/** The counts of several ports together. */
export function addLateness(all: readonly LatenessCounts[]): LatenessCounts {
  const waited: Record<string, number> = {};
  for (const each of all) {
    for (const [ms, n] of Object.entries(each.waited)) waited[ms] = (waited[ms] ?? 0) + n;
  }
  return { turns: all.reduce((sum, { turns }) => sum + turns, 0), waited };
}
