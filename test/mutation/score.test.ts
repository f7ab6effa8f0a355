import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { percent, scoreOf, survivorLines } from './score';
import type { Equivalent, ReportedMutant } from './score';

const SOURCE = 'const a = 1;\n  return a > 0;\n';
const mutant = (line: number, status: string, replacement: string): ReportedMutant => ({
  mutatorName: 'EqualityOperator',
  replacement,
  status,
  location: { start: { line, column: 10 } },
});
const report = (...mutants: ReportedMutant[]) => ({
  files: { 'a.ts': { source: SOURCE, mutants } },
});
const EQUIVALENT: Equivalent = {
  file: 'a.ts',
  line: 'return a > 0;',
  replacement: 'a >= 0',
  reason: 'a is never 0',
};

const read = (name: string): unknown =>
  JSON.parse(fs.readFileSync(path.join(ROOT, 'test', 'mutation', name), 'utf8'));

describe('the score of mutants', () => {
  test('counts what a test or the time limit noticed against what none did', () => {
    const statuses = ['Killed', 'Timeout', 'Survived', 'NoCoverage'];
    const score = scoreOf(report(...statuses.map((status) => mutant(2, status, 'a < 0'))), []);
    expect(score).toMatchObject({ killed: 2, total: 4, equivalent: 0 });
    expect(percent(score)).toBe(50);
  });

  test('leaves out what does not compile, what is ignored, and what is listed as equivalent', () => {
    const mutants = [
      mutant(2, 'CompileError', 'x'),
      mutant(2, 'Ignored', 'y'),
      mutant(2, 'Survived', 'a >= 0'),
      mutant(2, 'Killed', 'a < 0'),
    ];
    const score = scoreOf(report(...mutants), [EQUIVALENT]);
    expect(score).toMatchObject({ killed: 1, total: 1, equivalent: 1, survivors: [] });
  });

  test('shows where a survivor is and what it changed', () => {
    const score = scoreOf(report(mutant(2, 'Survived', 'a >= 0')), []);
    expect(survivorLines(score)).toEqual([
      'a.ts:2 EqualityOperator\n    - return a > 0;\n    + a >= 0',
    ]);
  });
});

describe('the lists of the mutation run', () => {
  test('name folders and suites that are there', () => {
    const folders = read('folders.json') as { folder: string; tests: string[] }[];
    const isThere = (name: string): boolean => {
      const file = path.join(ROOT, name);
      return fs.existsSync(name.endsWith('/') ? file : `${file}.test.ts`) || fs.existsSync(file);
    };
    const named = folders.flatMap(({ folder, tests }) => [
      folder,
      ...tests.map((t) => `test/${t}`),
    ]);
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  test('have a reason for each equivalent mutant, whose line is still in its file', () => {
    const equivalents = read('equivalents.json') as Equivalent[];
    const stale = equivalents.filter(({ file, line, reason }) => {
      const full = path.join(ROOT, file);
      const lines = fs.existsSync(full) ? fs.readFileSync(full, 'utf8').split('\n') : [];
      return reason === '' || !lines.some((own) => own.trim() === line);
    });
    expect(stale).toEqual([]);
  });
});
