// npm run environment: the live layer against simulated machines.
import { Command } from 'commander';
import { wholeOption, within } from '../../cli/shared/option-values';
import { plant } from './mutants';
import { Tally } from './tally';

interface Options {
  readonly seed: number;
  readonly seeds: number;
  readonly trace?: true;
  readonly json?: true;
  readonly twice?: true;
  readonly mutant?: string;
}

/** So often a long run says how far it is, in seeds. */
const PROGRESS = 500;
const SEEDS_MAX = 2 ** 40;

const program = new Command('npm run environment --')
  .description(
    'Runs live switches, agents and controllers in one process against a simulated kernel, in which a ' +
      'seed decides on faults of the system, the network and the peers. The exit code tells whether an ' +
      'invariant was broken.',
  )
  .option('--seed <n>', 'the first seed', within(0, SEEDS_MAX, wholeOption), 1)
  .option('--seeds <n>', 'how many', within(1, SEEDS_MAX, wholeOption), 1)
  .option('--trace', 'print what happens')
  .option('--twice', 'run each seed twice and compare')
  .option('--json', 'print the tally as JSON')
  .option('--mutant <name>', 'with a planted fault, until it is found')
  .action(async ({ seed: first, seeds, trace, json, twice, mutant }: Options) => {
    if (mutant !== undefined) plant(mutant);
    // After the fault is planted, which the live code must be loaded with.
    const { simulate } = await import('./simulate.js');
    const { readProgramOnce } = await import('./nodes/program.js');
    const print = trace && ((line: string): void => void process.stdout.write(line));
    // A process does some work only once, so it is done before the first seed.
    await readProgramOnce();
    await simulate(0);
    const tally = new Tally();
    for (let seed = first; seed < first + seeds; seed++) {
      const outcome = await simulate(seed, print);
      tally.add(outcome);
      if (twice) tally.compare(outcome, await simulate(seed));
      const done = seed - first + 1;
      if (done % PROGRESS === 0) process.stderr.write(`${done} seeds, ${tally.broken} broken\n`);
      if (mutant !== undefined && outcome.violations.length > 0) break;
    }
    process.stdout.write(json ? `${JSON.stringify(tally.figures())}\n` : tally.text());
    process.exitCode = tally.isClean ? 0 : 1;
  });

void program.parseAsync();
