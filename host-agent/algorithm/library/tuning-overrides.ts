import type { HpccppTuning } from '../window-form';
import { algorithmNamed, isCustomAlgorithm } from './algorithms';
import type { AlgorithmTuning } from './algorithms';
import { withChanges } from './constants';

/** Tuning that a user may set for any algorithm, by the names that HPCC++ has for it. */
export type TuningOverrides = {
  readonly [Name in 'targetUtilization' | 'maxStage' | 'expectedFlows' | 'additiveIncreaseBytes']?:
    | HpccppTuning[Name]
    | undefined;
};

/**
 * Translates the overrides to the algorithm of that name: to the tuning of HPCC++, or to constants of the
 * same names.
 * @throws InputError naming what the algorithm has no constant for. One from a file says so when its
 *   factory is made.
 */
export function tuningFromOverrides(
  algorithm: string,
  asked: TuningOverrides,
): Pick<AlgorithmTuning, keyof TuningOverrides | 'constants'> {
  const values: Record<string, number> = {};
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) values[name] = value;
  if (algorithm === 'hpccpp') return values;
  if (!isCustomAlgorithm(algorithm)) {
    withChanges(algorithm, algorithmNamed(algorithm).constants, values);
  }
  return { constants: values };
}
