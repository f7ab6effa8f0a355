/**
 * `hpcc-plus-plus/scenario`: networks in deterministic virtual time. A scenario is YAML or JSON text; the
 * result is the object that `hpcc run --json` prints, the same for equal seeds.
 *
 * @example
 * const scenario = parseScenario(fs.readFileSync('mine.yaml', 'utf8'), 'mine.yaml');
 * const result = await runScenario(scenario, { seed: 1 });
 * console.log(result.bottleneck.queuePeakBytes);
 *
 * @module scenario
 */
import type { ScenarioDocument } from '../scenario/schema';
import type { Result } from '../result/result';
import { runScenario as run } from './run-scenario';
import { writeResult as write } from './results/write-result';
import type { WrittenResult } from './results/write-result';

export { parseScenario } from '../scenario/schema';
export type { Result, ScenarioDocument, WrittenResult };
export { loadScenario } from './inputs/scenario-files';
export { scenarioNames } from './inputs/catalogue';
export { InputError } from '../../common/errors';

/** Options for running a scenario; all have defaults. */
export interface ScenarioOptions {
  /** Seed of all randomness, a whole number. Equal seeds give equal results. Default 1. */
  readonly seed?: number;
  /** True to check while running that no byte appears or vanishes. Default true. */
  readonly checkInvariants?: boolean;
  /** Executor of the switches' programs. Default `generated`. */
  readonly executor?: 'interpreter' | 'generated';
  /** True if an algorithm of a file has all rights of the process. Default: it runs in a compartment. */
  readonly trust?: boolean;
  /**
   * Called some times per second with how much of the run is over, from 0 to 1: of its virtual time
   * where the scenario says when it ends, and else of the payload.
   */
  readonly onProgress?: (fraction: number) => void;
  /** Ends the run early: the result holds what there is, and `interruptedAtUs`. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a scenario in virtual time, its switches set up over P4Runtime as a controller would.
 * @throws InputError for a scenario that cannot be run.
 */
export async function runScenario(
  scenario: ScenarioDocument,
  { seed = 1, onProgress, ...options }: ScenarioOptions = {},
): Promise<Result> {
  const { result } = await run({
    scenario,
    seed,
    ...options,
    ...(onProgress && { onProgress: ({ fraction }) => onProgress(fraction) }),
  });
  return result;
}

/**
 * Writes `result.json`, the series as CSV and `report.html` into a folder, which is made if needed.
 * @throws InputError when the folder cannot be written.
 */
export function writeResult(result: Result, folder: string): WrittenResult {
  return write(result, folder);
}
