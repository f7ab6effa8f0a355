import type { ContestRow, Standing } from './standing';
import type { Trial } from './trial';
import { LAWS } from './laws';
import { lengthOf } from './trial-space';

/** A trial that breaks a law, as short as it was found. */
export interface Counterexample {
  readonly law: string;
  readonly trial: Trial;
  readonly breach: string;
}

/** Knowledge of one algorithm after its trials and contests, as `hpcc algorithm judge --json` prints it. */
export interface Judgement {
  readonly schema: 'hpcc-judgement/1';
  readonly algorithm: string;
  readonly seed: number;
  /** Runs of the search for counterexamples. */
  readonly trials: number;
  readonly laws: readonly LawVerdict[];
  /** The shortest trial found in which it breaks; null: none was found. */
  readonly shortest: (Counterexample & { readonly file: string }) | null;
  readonly contests: readonly Omit<ContestRow, 'algorithm'>[];
  readonly standings: readonly Standing[];
}

/** One law, and the shortest trial found that breaks it. */
export interface LawVerdict {
  readonly law: string;
  readonly about: string;
  readonly holds: boolean;
  readonly counterexample?: Counterexample;
}

/** All laws, with what was found against them. */
export const lawVerdicts = (broken: readonly Counterexample[]): LawVerdict[] =>
  LAWS.map(({ name, about }) => {
    const found = broken.find(({ law }) => law === name);
    return {
      law: name,
      about,
      holds: found === undefined,
      ...(found !== undefined && { counterexample: found }),
    };
  });

/** The shortest of all counterexamples. */
export const shortestOf = (broken: readonly Counterexample[]): Counterexample | undefined =>
  broken.toSorted((a, b) => lengthOf(a.trial) - lengthOf(b.trial))[0];
