import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { EFFORT } from '../support/effort';
import { sampled } from '../support/sampled';
import { FAULTS } from './kernel/faults';
import { MUTANTS } from './mutants';
import type { Figures } from './tally';

const PROGRAM = path.join(__dirname, 'run.js');

/** In processes of their own, because the process's clocks, timers and files are replaced. */
function run(...argv: readonly string[]): Promise<{ code: number; figures: Figures }> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [PROGRAM, '--json', ...argv], (error, stdout, stderr) => {
      try {
        const code = error === null ? 0 : Number(error.code);
        resolve({ code, figures: JSON.parse(stdout) as Figures });
      } catch {
        reject(new Error(`${argv.join(' ')}: ${stdout}${stderr}`));
      }
    });
  });
}

/** Some tens of seconds of processor time; the limit only ends what hangs. */
jest.setTimeout(600_000);

describe('the live layer in a simulated environment', () => {
  test('seeds break no invariant, and every kind of fault strikes', async () => {
    const seeds = EFFORT > 1 ? 32 * EFFORT : 16;
    // Of seeds in a row these have every kind of fault among the first sixteen.
    const { figures } = await run('--seed', '103', '--seeds', String(seeds));
    // Each is run again by: npm run environment -- --seed N --trace
    expect(figures.broken).toEqual([]);
    expect(FAULTS.filter((fault) => figures.struck[fault] === 0)).toEqual([]);
    expect(figures.flows['finished'] ?? 0).toBeGreaterThan(seeds);
  });

  test('a seed has one trace', async () => {
    const { figures } = await run('--seed', '7', '--seeds', '2', '--twice');
    expect(figures.broken).toEqual([]);
  });

  test.each(sampled('faults of the code are not tried', MUTANTS, 7))(
    'finds that $name',
    async ({ name, seed }) => {
      const { code, figures } = await run('--mutant', name, '--seed', String(seed));
      expect(figures.broken.map((each) => each.seed)).toEqual([seed]);
      expect(code).toBe(1);
    },
  );
});
