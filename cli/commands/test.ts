import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { repositoryRoot } from '../../common/io/repository';
import { note } from '../../common/io/terminal';

/** A program whose exit code tells whether the tree passes. */
interface Check {
  readonly program: string;
  readonly args: readonly string[];
  /** Folder below the root in which it runs. */
  readonly folder?: string;
}

const ofNode = (script: string, ...args: readonly string[]): Check => ({
  program: process.execPath,
  args: [path.join(repositoryRoot(), 'node_modules', script), ...args],
});

/** Checks that every checkout can run after its installation. */
const checks = (): readonly Check[] => [
  ofNode('oxlint/bin/oxlint'),
  ofNode('oxfmt/bin/oxfmt', '--check'),
  // Code that only tests use is not part of the product, and each dependency is used by something.
  ofNode('knip/bin/knip.js', '--production'),
  ofNode('knip/bin/knip.js', '--exclude', 'exports,types,files'),
];

/**
 * Checks that need programs of Debian or Python; where those are missing, the checks are reported as
 * skipped.
 */
const OPTIONAL: readonly Check[] = [
  {
    program: 'shellcheck',
    args: ['hpcc', 'scripts/build', 'scripts/release', '.ci/run', 'switch/bin/simple_switch'],
  },
  { program: 'ruff', args: ['check', '.'], folder: 'mininet' },
  { program: 'ruff', args: ['format', '--check', '--quiet', '.'], folder: 'mininet' },
  { program: 'mypy', args: ['--no-error-summary', 'hpccnet', 'tests'], folder: 'mininet' },
];

export function registerTest(command: Command): void {
  command
    .description(
      'Lints, checks formatting, looks for what nobody uses, and runs all tests; arguments go to ' +
        'jest. With arguments only jest runs. Tests that need p4c, protoc, bmv2 or root run where those are present and ' +
        'report themselves skipped elsewhere, and so do shellcheck, ruff and mypy.',
    )
    .argument('[args...]', 'arguments for jest, such as a path or -t NAME')
    .allowUnknownOption()
    .action(async (args: string[]) => {
      if (!fs.existsSync(path.join(repositoryRoot(), 'jest.config.cjs'))) {
        throw new InputError('the tests are not part of the package: run them in a checkout');
      }
      const isWhole = args.length === 0;
      process.exitCode = isWhole
        ? await runAll([...checks(), ...installed(OPTIONAL)])
        : await runJest(args);
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

const folderOf = ({ folder = '.' }: Check): string => path.join(repositoryRoot(), folder);

/** Runs the checks beside the tests. @returns the first exit code that is not 0, if any. */
async function runAll(checks: readonly Check[]): Promise<number> {
  const [ended, tests] = await Promise.all([runChecks(checks), runJest([])]);
  const failed = ended.filter(({ code }) => code !== 0);
  for (const { check } of failed) note(`failed: ${commandOf(check)}`);
  return failed[0]?.code ?? tests;
}

/** Returns the command line for the reader. */
const commandOf = ({ program, args }: Check): string =>
  [program, ...args].map((word) => word.replace(`${repositoryRoot()}${path.sep}`, '')).join(' ');

function runJest(args: readonly string[]): Promise<number> {
  const { program, args: line } = ofNode('jest/bin/jest.js', ...args);
  const child = spawn(program, line, { cwd: repositoryRoot(), stdio: 'inherit' });
  return exitCode(child);
}

const exitCode = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });

/** Checks leave the processor to suites that wait for processes. */
const CHECKS_NICENESS = 10;

/** PERF: programs in Go, such as the linter's type checker, collect garbage a quarter as often as by default. */
const GO_GARBAGE = { GOGC: '400' };

interface Ended {
  readonly check: Check;
  readonly code: number;
}

/** Runs them on half of the processors. */
async function runChecks(waiting: readonly Check[]): Promise<readonly Ended[]> {
  const left = [...waiting];
  const all: Ended[] = [];
  const worker = async (): Promise<void> => {
    for (let check = left.shift(); check !== undefined; check = left.shift()) {
      all.push({ check, code: await runQuietly(check) });
    }
  };
  const workers = Math.ceil(os.availableParallelism() / 2);
  await Promise.all(Array.from({ length: workers }, worker));
  return all;
}

/** Shows what the check wrote when it has ended, so that the output of two does not mix. */
async function runQuietly(check: Check): Promise<number> {
  const child = spawn(check.program, check.args, {
    cwd: folderOf(check),
    env: { ...GO_GARBAGE, ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) os.setPriority(child.pid, CHECKS_NICENESS);
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => pieces.push(piece));
  }
  const code = await exitCode(child);
  process.stderr.write(Buffer.concat(pieces));
  return code;
}
