import type { CongestionControlFactory } from './congestion-control';
import { FixedRate } from './fixed-rate';
import { hpccppFactory } from './window-form';
import type { HpccppTuning } from './window-form';

/**
 * What steers a flow, by name: scenarios and commands know no more of an algorithm than its name and
 * the tuning that all may read. Another algorithm is another line.
 *
 * - `hpccpp`: HPCC++.
 * - `none`: the rate of the host's link whatever happens; what is lost is sent again, and nothing
 *   else slows a flow down. It is the floor that others are compared with.
 */
const FACTORIES = {
  hpccpp: hpccppFactory,
  none: () => (environment) => new FixedRate(environment.linkRate),
} as const satisfies Readonly<Record<string, (tuning: HpccppTuning) => CongestionControlFactory>>;

export type AlgorithmName = keyof typeof FACTORIES;

export const ALGORITHMS = Object.keys(FACTORIES) as [AlgorithmName, ...AlgorithmName[]];

/** A maker of one algorithm's state for each flow. */
export const algorithmFactory = (
  name: AlgorithmName,
  tuning: HpccppTuning,
): CongestionControlFactory => FACTORIES[name](tuning);
