import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { JUDGED_ROLES, clausesOf } from '../../common/telemetry/judge/roles';
import { FaultyPrograms } from '../support/judge/wrong/judged';
import { FAULTY_PROGRAMS, WRONG_PROGRAMS } from '../support/judge/wrong/wrong-programs';
import { describeIf, isOnPath } from '../support/requires';
import { sampled } from '../support/sampled';

/**
 * Wrong P4 programs, one for each clause of the judge: copies of ours, in which a number that the controller gives
 * chooses the fault. So all of them take two runs of the compiler.
 */

test('every clause has a wrong program, in a role that has the clause', () => {
  const clauses = JUDGED_ROLES.flatMap((role) => clausesOf(role).map(({ clause }) => clause));
  expect(WRONG_PROGRAMS.map(({ clause }) => clause).sort()).toEqual([...new Set(clauses)].sort());
  const strange = WRONG_PROGRAMS.filter(
    ({ role, clause }) => !clausesOf(role).some((each) => each.clause === clause),
  );
  expect(strange).toEqual([]);
});

describeIf(isOnPath('p4c-bm2-ss'), 'wrong programs', 'p4c-bm2-ss is not on PATH', () => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-wrong-programs-'));
  const programs = new FaultyPrograms(scratch);
  beforeAll(() => FAULTY_PROGRAMS.forEach((each) => programs.compile(each)), 300_000);
  afterAll(() => fs.rmSync(scratch, { recursive: true }));

  test.each(JUDGED_ROLES)('the same program as %s without a fault fails nothing', async (role) => {
    expect(await programs.failures({ role })).toEqual([]);
  });

  const some = sampled('wrong programs', WRONG_PROGRAMS, 16, ({ role }) => role);
  test.each(some.map((each) => [each.role, each.fault.does, each.clause, each] as const))(
    'a program that as %s %s fails %s alone',
    async (_role, _does, clause, program) => {
      expect(await programs.failures(program)).toEqual([clause]);
    },
    30_000,
  );
});
