import { pathToFileURL } from 'node:url';
import { InputError } from '../../../common/errors';
import type { Result } from '../../result/result';
import type { ScenarioDocument } from '../../scenario/schema';

/** Input of a judge. */
export interface JudgedRun {
  readonly result: Result;
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  /** Runs something else to compare with. */
  readonly run: (scenario: ScenarioDocument, seed: number) => Promise<Result>;
}

/**
 * A user's own laws and figures of a study: throws where a run breaks a law, and returns numbers,
 * which are figures below `judged`.
 */
export type Judge = (
  run: JudgedRun,
) => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>;

/** @throws InputError for a file that has no function `judge`. */
export async function loadJudge(file: string): Promise<Judge> {
  let loaded: { judge?: unknown };
  try {
    loaded = (await import(pathToFileURL(file).href)) as { judge?: unknown };
  } catch (error) {
    throw new InputError(`${file} cannot be loaded as a judge: ${(error as Error).message}`);
  }
  if (typeof loaded.judge === 'function') return loaded.judge as Judge;
  throw new InputError(`${file} is no judge: it exports no function 'judge'`);
}
