import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { repositoryRoot } from '../../common/io/repository';
import { note } from '../../common/io/terminal';

/** A program whose exit code tells whether the tree passes. */
interface Check {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it runs, below the root. */
  readonly folder?: string;
}

const ofNode = (script: string, ...args: readonly string[]): Check => ({
  program: process.execPath,
  args: [path.join(repositoryRoot(), 'node_modules', script), ...args],
});

/** What every checkout has after its installation. The first failure ends the run. */
const checks = (): readonly Check[] => [
  ofNode('eslint/bin/eslint.js', '--max-warnings', '0', '.'),
  ofNode('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  // What only tests use is no product, and the dependencies are those that something uses.
  ofNode('knip/bin/knip.js', '--production'),
  ofNode('knip/bin/knip.js', '--exclude', 'exports,types,files'),
];

/** What runs where Debian's or Python's packages have brought it, and is named where they have not. */
const OPTIONAL: readonly Check[] = [
  {
    program: 'shellcheck',
    args: ['hpcc', 'scripts/build', 'scripts/release', '.ci/run', 'switch/bin/simple_switch'],
  },
  { program: 'ruff', args: ['check', '.'], folder: 'mininet' },
  { program: 'ruff', args: ['format', '--check', '--quiet', '.'], folder: 'mininet' },
  { program: 'mypy', args: ['--no-error-summary', 'hpccnet', 'tests'], folder: 'mininet' },
];

export function registerTest(program: Command): void {
  program
    .command('test')
    .summary('lint, check formatting, and run all tests')
    .description(
      'Lints, checks formatting, looks for what nobody uses, and runs all tests; arguments go to ' +
        'jest. With arguments only jest runs. Tests that need p4c, protoc, bmv2 or root run where those are present and ' +
        'report themselves skipped elsewhere, and so do shellcheck, ruff and mypy.',
    )
    .argument('[args...]', 'arguments for jest, such as a path or -t NAME')
    .allowUnknownOption()
    .action((args: string[]) => {
      if (!fs.existsSync(path.join(repositoryRoot(), 'jest.config.cjs'))) {
        throw new InputError('the tests are not part of the package: run them in a checkout');
      }
      const jest = ofNode('jest/bin/jest.js', ...args);
      const wanted = args.length > 0 ? [jest] : [...checks(), ...installed(OPTIONAL), jest];
      for (const check of wanted) {
        process.exitCode = run(check);
        if (process.exitCode !== 0) return;
      }
    });
}

function installed(optional: readonly Check[]): readonly Check[] {
  const missing = new Set<string>();
  const found = optional.filter(({ program }) => {
    const there = spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
    if (!there) missing.add(program);
    return there;
  });
  for (const program of missing) note(`skipped: ${program} is not on PATH`);
  return found;
}

function run({ program, args, folder = '.' }: Check): number {
  const cwd = path.join(repositoryRoot(), folder);
  return spawnSync(program, args, { cwd, stdio: 'inherit' }).status ?? 1;
}
