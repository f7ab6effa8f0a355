import type { CongestionControlFactory } from './congestion-control';
import { FixedRate } from './fixed-rate';
import type { Signals } from './signals';
import { SIGNALS_OF_HOPS, SIGNALS_OF_NOTHING } from './signals';
import { hpccppFactory } from './window-form';
import type { HpccppTuning } from './window-form';

/** What an algorithm is told besides what each flow knows; an algorithm takes what it understands. */
export interface AlgorithmTuning extends HpccppTuning {
  /** Constants of the algorithm's table that shall differ, by name (docs/algorithms.md). */
  readonly constants?: Readonly<Record<string, number>>;
}

/** What steers a flow, and what it needs to hear for that. */
export interface Algorithm {
  readonly name: string;
  readonly signals: Signals;
  /** A maker of one algorithm's state for each flow. */
  readonly factory: (tuning: AlgorithmTuning) => CongestionControlFactory;
}

/**
 * What steers a flow, by name: scenarios and commands know no more of an algorithm than its name and
 * the tuning that all may read. Another algorithm is another line (docs/algorithms.md).
 *
 * - `hpccpp`: HPCC++.
 * - `none`: the rate of the host's link whatever happens; what is lost is sent again, and nothing
 *   else slows a flow down. It is the floor that others are compared with.
 */
const BUILT_IN = {
  hpccpp: { signals: SIGNALS_OF_HOPS, factory: hpccppFactory },
  none: {
    signals: SIGNALS_OF_NOTHING,
    factory: () => (environment) => new FixedRate(environment.linkRate),
  },
} as const satisfies Readonly<Record<string, Omit<Algorithm, 'name'>>>;

export type AlgorithmName = keyof typeof BUILT_IN;

export const ALGORITHMS = Object.keys(BUILT_IN) as [AlgorithmName, ...AlgorithmName[]];

/** One of the algorithms that come with the project. */
export const algorithmNamed = (name: AlgorithmName): Algorithm => ({ name, ...BUILT_IN[name] });
