import * as os from 'node:os';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { print } from '../../common/io/terminal';
import { numberOption, wholeOption, within } from '../shared/option-values';
import { NAMED_SUITE_NAMES, SUITE_NAMES } from '../bench/suite-names';
import type { SuiteName } from '../bench/suite-names';
import type { BenchOptions, SUITES } from '../bench/suites';

/** PERF: help and a fault in the words need nothing that is measured. */
const suites = (): typeof SUITES =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when something is measured
  (require('../bench/suites') as typeof import('../bench/suites')).SUITES;

export function registerBench(command: Command): void {
  command
    .description(
      'Prints speed figures as JSON: medians of several rounds. ' +
        `Suites: ${SUITE_NAMES.join(', ')}; ` +
        `by name only, because they need root or many minutes: ${NAMED_SUITE_NAMES.join(', ')}. ` +
        'As root, switch runs switch-live too.',
    )
    .argument('[suite]', 'only this suite')
    .option('--rounds <n>', 'rounds per figure', within(1, 10_000, wholeOption), 5)
    .option('--minutes <n>', 'how long a soak lasts', within(0.01, 10_000, numberOption), 3)
    .option(
      '--bmv2 <path>',
      'the bmv2 that live switch suites and controller-writes compare with',
      'simple_switch_grpc',
    )
    .option(
      '--entries <n>',
      'entries of switch-under-control, which writes a third as many more, and of memory-under-attack',
      within(1, 10_000_000, wholeOption),
      300_000,
    )
    .option(
      '--switches <n>',
      'switches in a row that live-latency sends through; several share a process, too',
      within(1, 20, wholeOption),
      1,
    )
    .option(
      '--cells <n>',
      'cells of study (200) and study-workers (2000)',
      within(1, 1_000_000, wholeOption),
    )
    .option('--ns3 <path>', 'program of the HPCC simulator that emulator compares with')
    .action(async (suite: string | undefined, options: BenchOptions) => {
      const names = suitesOf(suite);
      const rounds = Math.max(1, options.rounds);
      const loadBefore = loadAverage();
      const figures: Record<string, object> = {};
      for (const name of names) figures[name] = await suites()[name]({ ...options, rounds });
      const rss = Math.round(process.memoryUsage().rss / 1e6);
      // Whoever reads the figures must know whether the machine had other work.
      const machine = { node: process.version, loadBefore, loadAfter: loadAverage() };
      print(JSON.stringify({ ...machine, rounds, residentMegabytes: rss, ...figures }, null, 2));
    });
}

/** All that need no rights; or one, where `switch` forwards between interfaces too if it may. */
function suitesOf(suite: string | undefined): readonly SuiteName[] {
  if (suite === undefined) return SUITE_NAMES;
  const all = [...SUITE_NAMES, ...NAMED_SUITE_NAMES];
  const name = all.find((each) => each === suite);
  if (name === undefined) throw new InputError(`no suite '${suite}'; there are ${all.join(', ')}`);
  return name === 'switch' && process.getuid?.() === 0 ? ['switch', 'switch-live'] : [name];
}

/** Processes that wanted a processor, on average over the last minute. */
const loadAverage = (): number => Number((os.loadavg()[0] ?? 0).toFixed(2));
