import * as fs from 'node:fs';
import * as path from 'node:path';
import { scenarioNames } from '../emulator/io/inputs/catalogue';
import { experimentNames } from '../mininet/io/experiment-files';
import { ROOT } from './support/paths';

/** That files exist is held by the suite of paths in documents. */
const page = fs.readFileSync(path.join(ROOT, 'docs', 'drafts.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.split('|').length === 7)
  .filter((line) => !line.startsWith('| section '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Sections with something to build, of each draft. */
const HPCC = ['3', '4.1', '4.2', '5', '6.1', '6.2.1', '6.2.2', '6.3.1', '6.3.2', '7.1', '7.2'];
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['the HPCC++ drafts', [...HPCC, '9.1', '9.2', '9.3', '9.4']],
  ['pan', ['pan 6', 'pan 6.1', 'pan 6.2', 'pan 6.3', 'pan 7.1', 'pan 7.2', 'pan 9']],
  [
    'ccm',
    ['4', '5', '6.1', '6.2', '6.3.1', '6.3.2', '6.3.3', '6.3.4', '6.4', '7'].map(
      (section) => `ccm ${section}`,
    ),
  ],
];

const names = new Map([
  ['run', scenarioNames()],
  ['compare', scenarioNames()],
  ['mininet', experimentNames()],
]);

describe('the page of the drafts', () => {
  test.each(SECTIONS)('has every section of %s', (_, sections) => {
    const found = rows.map(([, section = '']) => section);
    const isThere = (wanted: string): boolean =>
      found.some((section) => new RegExp(`(^|[ ;])${wanted}([,; ]|$)`).test(section));
    expect(sections.filter((section) => !isThere(section))).toEqual([]);
  });

  test('has code, tests and a command in every row', () => {
    const isCode = (cell: string | undefined): boolean => /^`[^`]+`(, `[^`]+`)*$/.test(cell ?? '');
    expect(rows.filter(([, , , ...cells]) => !cells.slice(0, 3).every(isCode))).toEqual([]);
    expect(rows.length).toBeGreaterThan(40);
  });

  test('names scenarios and experiments that there are', () => {
    const unknown = rows
      .map((cells) => (cells[5] ?? '').replaceAll('`', '').split(' '))
      .filter(([, command = '', name = '']) => names.get(command)?.includes(name) === false);
    expect(unknown).toEqual([]);
  });
});
