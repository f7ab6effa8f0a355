import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

import { p4cVersion } from '../../common/io/p4-compiler';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { fixture } from '../support/paths';
import { describeIf } from '../support/requires';

const PROGRAMS = readdirSync(fixture('p4'))
  .filter((name) => name.endsWith('.p4'))
  .map((name) => path.basename(name, '.p4'));

test.each(PROGRAMS)('the compiled fixture %s can be loaded', (name) => {
  const program = readProgram(readFileSync(fixture('p4', `${name}.json`), 'utf8'));
  expect(program.name).toBe(`${name}.p4`);
});

describeIf(p4cVersion() !== undefined, 'p4c on PATH', 'p4c-bm2-ss is not on PATH', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hpcc-fixtures-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test.each(PROGRAMS)('makes a program of %s that can be loaded', (name) => {
    const output = path.join(folder, `${name}.json`);
    const options = { cwd: fixture('p4'), stdio: 'ignore' } as const;
    execFileSync('p4c-bm2-ss', ['-o', output, `${name}.p4`], options);
    const fresh = readProgram(readFileSync(output, 'utf8'));
    const committed = readProgram(readFileSync(fixture('p4', `${name}.json`), 'utf8'));
    // Another version of p4c may arrange a program otherwise; its face stays the same.
    const face = ({ tables, headers, registers }: typeof fresh): unknown => ({
      tables: tables.map((table) => table.name).filter((table) => table.startsWith('ingress.')),
      headers: headers.filter(({ metadata }) => !metadata).map((header) => header.name),
      registers,
    });
    expect(face(fresh)).toEqual(face(committed));
  });
});
