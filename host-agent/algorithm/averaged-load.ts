import { PathLoad } from './path-load';
import type { PathLoadParameters } from './path-load';

/** What {@link PathLoad} has of a link before it is measured, as U of hpccpp.ts. */
const INITIAL_U = 1;

/**
 * The fullest link of a path by moving averages of each link, in place of one average over whichever
 * link was fullest between two acknowledgements (HPCC++ §algorithm, lines 6 to 9).
 *
 * Where packets come in bursts, a link is full within them for a short time and nearly idle for a long
 * one in between. If the gap falls on one packet at the first link and on another one at the second,
 * each interval has some link that is full, its short time counts, and the long ones never do: U of
 * five links that are half used becomes 0.9. Each link by itself averages all its time.
 */
export class AveragedLoad extends PathLoad {
  readonly #T: number;
  readonly #averages: number[];

  constructor(parameters: PathLoadParameters, averages: number[] = []) {
    super(parameters);
    this.#T = parameters.T;
    this.#averages = averages;
  }

  override retuned(parameters: PathLoadParameters): AveragedLoad {
    return new AveragedLoad(parameters, this.#averages);
  }

  /** The average of the fullest link, which replaces U: its interval is T. */
  protected override consider(link: number, uHop: number, dt: number): void {
    const T = this.#T;
    const averages = this.#averages;
    const tau = Math.min(dt, T);
    const average = ((averages[link] ?? INITIAL_U) * (T - tau) + uHop * tau) / T;
    averages[link] = average;
    super.consider(link, average, T);
  }
}
