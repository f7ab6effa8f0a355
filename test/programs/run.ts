// npm run random-programs: random P4 programs on both executors and bmv2.
import { Command } from 'commander';
import { bmv2RunsStf } from '../../switch/io/bmv2/run-stf';
import { wholeOption, within } from '../../cli/shared/option-values';
import { differenceOf, shrunk } from './compare-program';
import { p4Text, randomProgram } from './random-program';

interface Options {
  readonly seed: number;
  readonly programs: number;
  readonly packets: number;
}

const program = new Command('npm run random-programs --')
  .description(
    'Makes random v1model programs, compiles them with p4c and sends random packets through both ' +
      'executors and bmv2. What differs is made smaller and printed; the exit code tells.',
  )
  .option('--seed <n>', 'of the first program', within(0, 2 ** 31, wholeOption), 1)
  .option('--programs <n>', 'how many', within(1, 10_000_000, wholeOption), 100)
  .option('--packets <n>', 'of each program', within(1, 100_000, wholeOption), 50)
  .action(async ({ seed: first, programs, packets }: Options) => {
    const withBmv2 = bmv2RunsStf();
    if (!withBmv2) process.stdout.write('without bmv2: only the executors are compared\n');
    let differing = 0;
    for (let seed = first; seed < first + programs; seed++) {
      const comparison = { seed, packets, withBmv2 };
      const difference = await differenceOf(randomProgram(seed), comparison);
      if (difference === undefined) continue;
      differing += 1;
      const small = await shrunk(randomProgram(seed), comparison);
      const reason = (await differenceOf(small, comparison)) ?? difference;
      process.stdout.write(`seed ${seed}: ${reason}\n${p4Text(small)}\n`);
      process.exitCode = 1;
    }
    process.stdout.write(`${programs} programs x ${packets} packets: ${differing} differ\n`);
  });

void program.parseAsync();
