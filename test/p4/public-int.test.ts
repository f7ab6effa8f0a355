import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hpccHere } from '../support/command-line';
import { describeIf, isOnPath } from '../support/requires';
import { JUDGED_PROGRAMS } from './support/public-int';
import type { JudgedProgram } from './support/public-int';

/** Folder of checkouts, `owner/name` each. */
const CHECKOUTS = process.env['HPCC_INT_PROGRAMS'];
const COMPILER = 'p4c-bm2-ss';

/** Compiles a copy of a program, and writes its set-up beside it. */
function prepare(folder: string, program: JudgedProgram): { json: string; setUp: string } {
  const { checkout, source, edits = [], flags = [], setUp } = program;
  const copy = path.join(folder, 'copy');
  fs.cpSync(path.join(CHECKOUTS ?? '', checkout), copy, {
    recursive: true,
    dereference: true,
  });
  for (const [file, from, to] of edits) {
    const text = fs.readFileSync(path.join(copy, file), 'utf8');
    expect(text).toContain(from);
    fs.writeFileSync(path.join(copy, file), text.replace(from, to));
  }
  const json = path.join(folder, 'program.json');
  const compiled = spawnSync(COMPILER, [...flags, path.join(copy, source), '-o', json], {
    encoding: 'utf8',
  });
  expect([compiled.status, compiled.status === 0 ? '' : compiled.stderr]).toEqual([0, '']);
  const stf = path.join(folder, 'set-up.stf');
  fs.writeFileSync(stf, `${setUp.join('\n')}\n`);
  return { json, setUp: stf };
}

describeIf(
  CHECKOUTS !== undefined && isOnPath(COMPILER),
  'public INT programs',
  `need ${COMPILER} on PATH, and their checkouts in HPCC_INT_PROGRAMS`,
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-public-int-'));
    afterAll(() => fs.rmSync(folder, { recursive: true }));

    test.each(JUDGED_PROGRAMS.map((each) => [each.checkout, each.role, each] as const))(
      '%s as %s fails the clauses that were found by hand',
      async (_checkout, role, program) => {
        const place = fs.mkdtempSync(path.join(folder, `${role}-`));
        const { json, setUp } = prepare(place, program);
        const device = ['--dut', 'embedded', '--program', json, '--set-up', setUp];
        const options = ['--role', role, '--json', ...(program.options ?? [])];
        const { stdout } = await hpccHere('int', 'judge', ...device, ...options);
        const verdicts = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { verdict: string; clause: string });
        const failed = verdicts.flatMap((each) => (each.verdict === 'fail' ? each.clause : []));
        expect([...new Set(failed)].sort()).toEqual([...program.failing].sort());
      },
      60_000,
    );
  },
);
