import { createRequire } from 'node:module';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { sourceFiles } from '../support/source-files';
import { importGraph } from './imports';

/** Files that only one suite at a time may use: they start switches on interfaces, and network namespaces. */
const STARTERS: readonly string[] = [
  'bench/live/test-bed.ts',
  'test/support/kernel-ioam-router.ts',
];

/**
 * The programs that a command line starts are not known from its imports, in a process of its own or in
 * that of the suite: no suite beside others gives `hpcc mininet` or a live bench.
 */
const COMMAND_LINES: readonly string[] = ['cli/run-command.ts', 'cli/command-line.ts'];

const files = path.join(ROOT, 'test', 'jest', 'alone.cjs');
const lists = createRequire(__filename)(files) as Readonly<Record<string, readonly string[]>>;
const alone = Object.values(lists).flat();

const graph = importGraph(sourceFiles(/\.ts$/));
const suites = [...graph.keys()].filter((file) => /^test\/.*\.test\.ts$/.test(file));

/** True if a file imports one of the targets, directly or by way of others. */
function reaches(from: string, targets: readonly string[]): boolean {
  const seen = new Set([from]);
  for (const file of seen) {
    if (targets.includes(file)) return true;
    if (COMMAND_LINES.includes(file)) continue;
    for (const next of graph.get(file) ?? []) seen.add(next);
  }
  return false;
}

const runsAlone = (suite: string): boolean =>
  alone.some((start) => suite.startsWith(`test/${start}`));

describe('suites that have the machine to themselves', () => {
  test('are all that use interfaces or make namespaces, each in test/jest/alone.cjs', () => {
    const starting = suites.filter((suite) => reaches(suite, STARTERS));
    expect(starting.length).toBeGreaterThan(10);
    expect(starting.filter((suite) => !runsAlone(suite))).toEqual([]);
  });

  test('are named by what is there', () => {
    const stale = alone.filter((start) => !suites.some((file) => file.startsWith(`test/${start}`)));
    expect(stale).toEqual([]);
  });
});
