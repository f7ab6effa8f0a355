import type { HpccppTuning } from '../window-form';
import { algorithmNamed, isOwnAlgorithm } from './algorithms';
import type { AlgorithmTuning } from './algorithms';
import { withChanges } from './constants';

/** What somebody may ask of any algorithm, by the names that HPCC++ has for it. */
export type AskedTuning = {
  readonly [Name in 'targetUtilization' | 'maxStage' | 'expectedFlows' | 'additiveIncreaseBytes']?:
    HpccppTuning[Name] | undefined;
};

/**
 * What was asked for, as the algorithm of that name takes it: HPCC++ as its tuning, any other as its
 * constants of the same names.
 * @throws InputError naming what the algorithm has no constant for. One from a file says so when its
 *   factory is made.
 */
export function askedTuning(
  algorithm: string,
  asked: AskedTuning,
): Pick<AlgorithmTuning, keyof AskedTuning | 'constants'> {
  const values: Record<string, number> = {};
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) values[name] = value;
  if (algorithm === 'hpccpp') return values;
  if (!isOwnAlgorithm(algorithm)) {
    withChanges(algorithm, algorithmNamed(algorithm).constants, values);
  }
  return { constants: values };
}
