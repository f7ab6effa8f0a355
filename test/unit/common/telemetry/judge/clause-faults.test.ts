import { JUDGED_ROLES, RoleJudge, clausesOf } from '../../../../../common/telemetry/judge/roles';
import type { Exchange } from '../../../../../common/telemetry/judge/passage';
import type { JudgedRole } from '../../../../../common/telemetry/judge/roles';
import { FAULT_SETTINGS } from '../../../../support/judge/fault';
import type { DeviceFault } from '../../../../support/judge/fault';
import { DEX_FAULTS } from '../../../../support/judge/dex-faults';
import { IOAM_FAULTS } from '../../../../support/judge/ioam-faults';
import { NSH_FAULTS } from '../../../../support/judge/nsh-faults';
import { REPORT_FAULTS } from '../../../../support/judge/report-faults';
import { ROLE_FAULTS } from '../../../../support/judge/role-faults';
import { TRANSIT_FAULTS } from '../../../../support/judge/transit-faults';

/** Devices with one fault each: what a clause is worth. */
const FAULTS: readonly DeviceFault[] = [
  ...TRANSIT_FAULTS,
  ...ROLE_FAULTS,
  ...REPORT_FAULTS,
  ...IOAM_FAULTS,
  ...NSH_FAULTS,
  ...DEX_FAULTS,
];

/** Clauses that a device passes, and those that it fails, over all that it is sent. */
function verdictsOf(role: JudgedRole, exchanges: readonly Exchange[]) {
  const judge = new RoleJudge(role, FAULT_SETTINGS);
  const verdicts = exchanges.flatMap((exchange) => judge.judge(exchange));
  const clauses = (wanted: string): string[] => [
    ...new Set(verdicts.flatMap(({ clause, verdict }) => (verdict === wanted ? clause : []))),
  ];
  return { passed: clauses('pass'), failed: clauses('fail') };
}

test('every clause of traces has such a device in each role that has it', () => {
  for (const role of ['ioam-transit', 'ioam-incremental'] as const) {
    const faulty = new Set(FAULTS.filter((fault) => fault.role === role).map((f) => f.clause));
    const clauses = clausesOf(role).map(({ clause }) => clause);
    expect(clauses.filter((clause) => !faulty.has(clause))).toEqual([]);
  }
});

test('every clause has a device with a fault that it is about', () => {
  const clauses = JUDGED_ROLES.flatMap((role) => clausesOf(role).map(({ clause }) => clause));
  const faulty = new Set(FAULTS.map(({ clause }) => clause));
  expect([...new Set(clauses)].filter((clause) => !faulty.has(clause))).toEqual([]);
  expect([...faulty].filter((clause) => !clauses.includes(clause))).toEqual([]);
  expect(faulty.size).toBeGreaterThan(160);
});

test('the clauses of a role have a name each', () => {
  for (const role of JUDGED_ROLES) {
    const names = clausesOf(role).map(({ clause }) => clause);
    expect(new Set(names).size).toBe(names.length);
  }
});

test.each(FAULTS.map((fault) => [fault.role, fault.clause, fault] as const))(
  '%s with one fault fails %s and nothing else',
  (role, clause, { right, wrong }) => {
    const good = verdictsOf(role, right);
    expect(good.failed).toEqual([]);
    expect(verdictsOf(role, wrong).failed).toEqual([clause]);
  },
);
