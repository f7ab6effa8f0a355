import { createRequire } from 'node:module';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { sourceFiles } from '../support/source-files';
import { importGraph } from './imports';

/** What only one suite at a time may start: switches on interfaces, and network namespaces. */
const STARTERS: readonly string[] = [
  'bench/live/test-bed.ts',
  'test/support/kernel-ioam-router.ts',
];

/**
 * What a command starts is not known of who gives its line, in a process of its own or in that of the
 * suite: no suite beside others gives `hpcc mininet` or a live bench.
 */
const COMMAND_LINES = 'cli/run-command.ts';

const files = path.join(ROOT, 'test', 'jest', 'alone.cjs');
const alone = createRequire(__filename)(files) as readonly string[];

const graph = importGraph(sourceFiles(/\.ts$/));
const suites = [...graph.keys()].filter((file) => /^test\/.*\.test\.ts$/.test(file));

/** Whether a file is among what another imports, directly or by way of others. */
function reaches(from: string, targets: readonly string[]): boolean {
  const seen = new Set([from]);
  for (const file of seen) {
    if (targets.includes(file)) return true;
    if (file === COMMAND_LINES) continue;
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
