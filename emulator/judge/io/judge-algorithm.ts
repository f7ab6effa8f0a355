import * as path from 'node:path';
import { stringify } from 'yaml';
import { writeAtomically } from '../../../common/io/atomic-file';
import { isCustomAlgorithm } from '../../../host-agent/algorithm/library/algorithms';
import { loadAlgorithm } from '../../../host-agent/io/options/load-algorithm';
import { CONTESTS, CONTEST_SEED, contestScenario, SPREADS } from '../arena';
import { lawVerdicts, shortestOf } from '../judgement';
import type { Counterexample, Judgement } from '../judgement';
import type { Finding } from '../laws';
import { searchCounterexamples } from './search';
import type { SearchOutcome } from './search';
import { standingsOf } from '../standing';
import type { ContestRow } from '../standing';
import { trialScenario } from '../trial';
import type { Trial } from '../trial';
import type { FigureCache } from './figure-cache';
import type { TrialPool } from './trial-pool';
import type { TrialQuestion } from './trial-service';

export interface JudgeOptions {
  readonly pool: TrialPool;
  readonly cache: FigureCache;
  /** Folder of the counterexamples. */
  readonly folder: string;
  readonly seed: number;
  readonly tries: number;
  readonly trust: boolean;
  /** Algorithms that come with the project to set beside. */
  readonly beside: readonly string[];
  readonly onProgress: (what: string) => void;
}

/** Runs that making a counterexample shorter may take. */
const SHRINK_RUNS = 16;

/** Judges one algorithm: laws, a search for the shortest trial that breaks one, and contests beside others. */
export async function judgeAlgorithm(name: string, options: JudgeOptions): Promise<Judgement> {
  const outcome = await searchFor(name, options);
  const shortest = shortestOf(outcome.broken);
  const names = [name, ...options.beside.filter((other) => other !== name)];
  const rows = await contestRows(names, options);
  const standings = SPREADS.flatMap((spread) => standingsOf(rows, spread));
  return {
    schema: 'hpcc-judgement/1',
    algorithm: name,
    seed: options.seed,
    trials: outcome.trials,
    laws: lawVerdicts(outcome.broken),
    shortest:
      shortest === undefined ? null : { ...shortest, file: written(name, shortest, options) },
    contests: rows.flatMap(({ algorithm, ...row }) => (algorithm === name ? [row] : [])),
    standings,
  };
}

/**
 * Looks for counterexamples only.
 * @throws InputError when a file is no algorithm; one that hangs while it loads ends the process.
 */
export async function searchFor(
  name: string,
  { pool, seed, tries, trust, onProgress }: Omit<JudgeOptions, 'cache' | 'folder' | 'beside'>,
): Promise<SearchOutcome> {
  const { marking } = await loadAlgorithm(name, { trust });
  const probe = async (trials: readonly Trial[]): Promise<(Finding | undefined)[]> => {
    onProgress(`${name}: ${trials.length} trials`);
    const answers = await pool.ask(trials.map((trial) => questionOf(trial, name, trust)));
    return answers.map((answer) =>
      answer !== undefined && 'figures' in answer ? undefined : answer,
    );
  };
  return searchCounterexamples(probe, {
    seed,
    tries,
    claims: { marking },
    shrinkRuns: SHRINK_RUNS,
  });
}

const questionOf = (trial: Trial, algorithm: string, trust: boolean): TrialQuestion => ({
  scenario: trialScenario(trial, algorithm),
  seed: trial.seed,
  trust: trust && isCustomAlgorithm(algorithm),
  wants: 'evidence',
});

/** Figures of all contests, those of the project's algorithms from before where nothing has changed. */
async function contestRows(
  names: readonly string[],
  { pool, cache, trust, onProgress }: JudgeOptions,
): Promise<ContestRow[]> {
  const all = names.flatMap((algorithm) =>
    SPREADS.flatMap((spread) =>
      CONTESTS.map((contest) => {
        const scenario = contestScenario(contest, algorithm, spread);
        const known = isCustomAlgorithm(algorithm) ? undefined : cache.read(scenario, CONTEST_SEED);
        return { algorithm, contest: contest.name, spread, scenario, known };
      }),
    ),
  );
  const unknown = all.filter(({ known }) => known === undefined);
  onProgress(`${names[0] ?? ''}: ${unknown.length} contests, ${all.length - unknown.length} known`);
  const answers = await pool.ask(
    unknown.map(({ scenario, algorithm }) => ({
      scenario,
      seed: CONTEST_SEED,
      trust: trust && isCustomAlgorithm(algorithm),
      wants: 'figures',
    })),
  );
  const fresh = new Map(
    unknown.map((each, i) => {
      const answer = answers[i] ?? { failure: NOT_RUN };
      const figures = 'figures' in answer ? answer.figures : { failure: failureOf(answer) };
      const isKept = 'figures' in answer && !isCustomAlgorithm(each.algorithm);
      if (isKept) cache.write(each.scenario, CONTEST_SEED, figures);
      return [each, figures] as const;
    }),
  );
  return all.map((each) => {
    const { algorithm, contest, spread, known } = each;
    const figures = known ?? fresh.get(each) ?? { failure: NOT_RUN };
    return { algorithm, contest, spread, figures };
  });
}

const NOT_RUN = 'not run: watchdogs have ended too many runs before';

const failureOf = (answer: object): string =>
  'failure' in answer ? String(answer.failure) : NOT_RUN;

/** Writes a counterexample as a scenario that `hpcc run` takes. @returns its file. */
function written(
  name: string,
  { trial, law, breach }: Counterexample,
  { folder }: JudgeOptions,
): string {
  const file = path.join(folder, `${path.basename(name).replace(/\W+/g, '-')}.yaml`);
  const scenario = trialScenario(trial, name);
  const input = { ...scenario, title: `${name} breaks "${law}": ${breach}` };
  writeAtomically(file, `# seed ${trial.seed}\n${stringify(input)}`);
  return file;
}
