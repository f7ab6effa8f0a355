import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../../../support/paths';

const text = fs.readFileSync(path.join(ROOT, 'docs/p4runtime-client.md'), 'utf8');

/** Cells of the rows of the table that has this header. */
function rowsOf(header: string): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(header));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

const features = rowsOf('| feature | ours');
const evidence = rowsOf('| feature | test file');

/** The names of a file's tests, as they stand in its text. */
function testNames(file: string): readonly string[] {
  const source = fs.readFileSync(path.join(ROOT, file), 'utf8');
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)+)'\s*,\s*(?:async )?\(/g)].map(
    ([, name = '']) => name,
  );
}

describe('the table of features', () => {
  test('it has every row of the comparison', () => {
    expect(features).toHaveLength(26);
    for (const row of features) expect(row).toHaveLength(10);
  });

  test('every feature that we claim names a test, and no other does', () => {
    const claimed = features.flatMap(([feature = '', ours]) => (ours === '✘' ? [] : [feature]));
    const shown = [...new Set(evidence.map(([feature = '']) => feature))];
    expect([...shown].sort()).toEqual([...claimed].sort());
  });

  test.each(evidence)('%s: %s has the test "%s"', (_feature, file = '', name = '') => {
    expect(testNames(file.replaceAll('`', ''))).toContain(name);
  });
});
