import { InputError } from '../../common/errors';
import type { Random } from '../../common/random/random';

/** More arrivals than this are a slip of the pen rather than a plan. */
const ARRIVALS_MAX = 5_000_000;

export interface PoissonProcess {
  readonly startUs: number;
  readonly durationUs: number;
  /** Mean time between two arrivals. */
  readonly meanGapUs: number;
  /** Name of the workload, for messages. */
  readonly name: string;
}

/**
 * Instants of a Poisson process, in us, in rising order.
 * @throws InputError for more arrivals than a run could hold.
 */
export const poissonArrivals = (process: PoissonProcess, random: Random): number[] => [
  ...arrivalsOf(process, random),
];

/**
 * The same, one after the other.
 * @throws InputError for more arrivals than a run could hold.
 */
export function* arrivalsOf(process: PoissonProcess, random: Random): Iterable<number> {
  const { startUs, durationUs, meanGapUs, name } = process;
  if (durationUs / meanGapUs > ARRIVALS_MAX) {
    const expected = (durationUs / meanGapUs).toExponential(1);
    throw new InputError(
      `workload ${name}: about ${expected} arrivals, expected at most ${ARRIVALS_MAX}`,
    );
  }
  const end = startUs + durationUs;
  for (let at = startUs; ;) {
    at += random.exponential(meanGapUs);
    if (at >= end) return;
    yield at;
  }
}
