import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import type { Command } from 'commander';
import { repositoryRoot } from '../../common/io/repository';

/** Runs the programs one after the other; the first failure ends the run with its exit code. */
const CHECKS: readonly (readonly string[])[] = [
  ['eslint/bin/eslint.js', '--max-warnings', '0', '.'],
  ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
];

export function registerTest(program: Command): void {
  program
    .command('test')
    .summary('lint, check formatting, and run all tests')
    .description(
      'Lints, checks formatting and runs all tests; arguments go to jest. With arguments only ' +
        'jest runs. Tests that need p4c, protoc, bmv2 or root run where those are present and ' +
        'report themselves skipped elsewhere.',
    )
    .argument('[args...]', 'arguments for jest, such as a path or -t NAME')
    .allowUnknownOption()
    .action((args: string[]) => {
      const jest = ['jest/bin/jest.js', ...args];
      for (const command of args.length > 0 ? [jest] : [...CHECKS, jest]) {
        const status = runModule(command);
        if (status === 0) continue;
        process.exitCode = status;
        return;
      }
    });
}

function runModule([script = '', ...args]: readonly string[]): number {
  const root = repositoryRoot();
  const file = path.join(root, 'node_modules', script);
  const run = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
  return run.status ?? 1;
}
