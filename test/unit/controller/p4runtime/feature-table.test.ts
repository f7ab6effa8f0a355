import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../../../support/paths';
import { loadSuite } from '../../../support/load-suite';

/** Cells of the rows of a page's table that has this header. */
function rowsOf(page: string, header: string): readonly (readonly string[])[] {
  const lines = fs.readFileSync(path.join(ROOT, 'docs', page), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(header));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

const features = rowsOf('p4runtime-client.md', '| feature | ours');
const evidence = rowsOf('testing.md', '| feature | test file');

/** Tests that the table names, by file. */
const named = new Map<string, Set<string>>();
for (const [, file = '', name = ''] of evidence) {
  const key = file.replaceAll('`', '');
  named.set(key, (named.get(key) ?? new Set()).add(name));
}
const found = new Set<string>();
/** Files of which a part needs what this machine lacks. */
const skipping = new Set<string>();

describe('the suites that the table names', () => {
  for (const [file, names] of named) {
    describe(file, () => {
      loadSuite(file, {
        test: (name) => {
          if (names.has(name)) found.add(`${file} ${name}`);
        },
        skipped: () => skipping.add(file),
      });
    });
  }
});

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
    const key = file.replaceAll('`', '');
    if (!skipping.has(key)) expect(found).toContain(`${key} ${name}`);
  });
});
