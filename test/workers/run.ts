// npm run workers: random scenarios with one worker and with several.
import { Command } from 'commander';
import { wholeOption, within } from '../../cli/shared/option-values';
import { compareWorkers } from './compare-workers';
import { randomScenario } from './random-scenario';

interface Options {
  readonly seed: number;
  readonly scenarios: number;
}

const COUNTS = [2, 3, 8];

const program = new Command('npm run workers --')
  .description(
    'Runs random scenarios with 1, 2, 3 and 8 workers and compares the results byte by byte. ' +
      'What differs is printed; the exit code tells.',
  )
  .option('--seed <n>', 'of the first scenario', within(0, 2 ** 31, wholeOption), 1)
  .option('--scenarios <n>', 'how many', within(1, 1_000_000, wholeOption), 50)
  .action(async ({ seed: first, scenarios }: Options) => {
    let failed = 0;
    let hops = 0;
    for (let seed = first; seed < first + scenarios; seed++) {
      const { packetHops, differing } = await compareWorkers(randomScenario(seed), COUNTS);
      hops += packetHops;
      if (differing.length === 0) continue;
      failed += 1;
      process.stdout.write(`seed ${seed}: differs with ${differing.join(', ')} workers\n`);
      process.exitCode = 1;
    }
    process.stdout.write(
      `${scenarios} scenarios, ${hops} packet-hops, 1 and ${COUNTS.join(', ')} workers: ${failed} differ\n`,
    );
  });

void program.parseAsync();
