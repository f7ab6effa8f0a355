import * as os from 'node:os';
import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { alignedTable, note, print } from '../../common/io/terminal';
import { withOutputFolder } from '../../common/io/output-folder';
import { writeComparison } from '../../emulator/io/results/write-result';
import { SPREADS } from '../../emulator/judge/arena';
import { judgeAlgorithm } from '../../emulator/judge/io/judge-algorithm';
import { FigureCache } from '../../emulator/judge/io/figure-cache';
import { TrialPool } from '../../emulator/judge/io/trial-pool';
import { judgePage } from '../../emulator/judge/judge-page';
import {
  contestTable,
  lawTable,
  standingTable,
  summaryTable,
} from '../../emulator/judge/judge-tables';
import type { TimedJudgement } from '../../emulator/judge/judge-tables';
import type { Judgement } from '../../emulator/judge/judgement';
import { trialText } from '../../emulator/judge/trial';
import {
  algorithmNamed,
  ALGORITHMS,
  isCustomAlgorithm,
} from '../../host-agent/algorithm/library/algorithms';
import { loadAlgorithm } from '../../host-agent/io/options/load-algorithm';
import { wholeOption, within } from '../shared/option-values';
import { typedCommand } from '../shared/typed-command';
import { checkTrust, withTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';

interface JudgeFlags extends TrustFlags {
  readonly all?: true;
  readonly seed: number;
  readonly tries: number;
  readonly beside?: string;
  readonly workers?: number;
  readonly out: string;
  readonly json?: true;
}

const TRIES_MAX = 100_000;
const WORKERS_MAX = 64;

/** Adds `hpcc algorithm judge`. */
export function registerJudge(algorithm: Command): void {
  withTrust(algorithm.command('judge'))
    .summary('laws, contests beside the others, and the shortest scenario that breaks it')
    .description(
      'Judges congestion controls: laws that each must hold to, a search for the shortest scenario in ' +
        'which it breaks one, and twelve contests with and without spraying beside the algorithms that ' +
        'come with the project, whose figures are kept. Exits with 1 when a law is broken.',
    )
    .argument('[algorithms...]', 'names, or files such as ./mine.mjs')
    .option('--all', 'all algorithms that come with the project, before those that are named')
    .option('--seed <n>', 'seed of the search', wholeOption, 1)
    .option(
      '--tries <n>',
      'scenarios of the search by chance, beside fixed ones',
      within(0, TRIES_MAX, wholeOption),
      24,
    )
    .option('--beside <names>', 'set beside these only, separated by commas (default: all)')
    .option(
      '--workers <n>',
      'processes (default: one per core)',
      within(1, WORKERS_MAX, wholeOption),
    )
    .option('--out <folder>', 'folder of pages, counterexamples and kept figures', 'out/judge')
    .option('--json', 'print one JSON object per algorithm instead of tables')
    .action(async (names: readonly string[], flags: JudgeFlags) => {
      const all = [...new Set([...(flags.all === true ? ALGORITHMS : []), ...names])];
      if (all.length === 0) throw new InputError('wanted names of algorithms, files, or --all');
      checkTrust(flags, all);
      const broken = await withOutputFolder(flags.out, () => judgeAll(all, flags));
      if (broken.length > 0) throw new InputError(`${broken.join(', ')}: a law is broken`);
    });
}

/** Judges one after the other. @returns those that broke a law. */
async function judgeAll(names: readonly string[], flags: JudgeFlags): Promise<string[]> {
  const beside = flags.beside?.split(',') ?? ALGORITHMS;
  for (const name of beside) if (!isCustomAlgorithm(name)) algorithmNamed(name);
  // What is no algorithm is refused before hours may have gone into others.
  for (const name of names) await loadAlgorithm(name, { trust: flags.trust === true });
  const pool = new TrialPool(flags.workers ?? os.availableParallelism());
  const cache = new FigureCache(path.join(flags.out, 'kept'));
  const judged: TimedJudgement[] = [];
  try {
    for (const name of names) {
      const before = pool.processorSeconds;
      const judgement = await judgeAlgorithm(name, {
        pool,
        cache,
        folder: flags.out,
        seed: flags.seed,
        tries: flags.tries,
        trust: flags.trust === true,
        beside,
        onProgress: (what) => {
          if (process.stderr.isTTY) note(`hpcc: ${what}`);
        },
      });
      const page = judgePage(judgement, typedCommand());
      const folder = path.join(flags.out, path.basename(name).replace(/\W+/g, '-'));
      const report = writeComparison(judgement, page, folder);
      if (flags.json) print(JSON.stringify(judgement));
      else print(text(judgement, report));
      judged.push({ judgement, processorSeconds: pool.processorSeconds - before });
    }
  } finally {
    pool.stop();
  }
  if (names.length > 1 && flags.json !== true) print(alignedTable(summaryTable(judged)));
  return judged
    .filter(({ judgement: { laws } }) => laws.some(({ holds }) => !holds))
    .map(({ judgement: { algorithm } }) => algorithm);
}

function text(judgement: Judgement, report: string): string {
  const { algorithm, shortest, trials } = judgement;
  const [, ...laws] = lawTable(judgement);
  const tables = SPREADS.flatMap((spread) => [
    `${spread}:\n${alignedTable(contestTable(judgement, spread))}`,
    `${spread}, among the others:\n${alignedTable(standingTable(judgement, spread))}`,
  ]);
  const found =
    shortest === null
      ? `no scenario of ${trials} breaks it`
      : `shortest scenario found that breaks it (${shortest.law}): ${trialText(shortest.trial)}\n` +
        `  ./hpcc run ${shortest.file} --seed ${shortest.trial.seed}`;
  return [`${algorithm}\n${alignedTable(laws)}`, found, ...tables, `report: ${report}`].join(
    '\n\n',
  );
}
