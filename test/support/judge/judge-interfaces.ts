import { isReporting } from '../../../common/telemetry/judge/roles';
import type { JudgedRole } from '../../../common/telemetry/judge/roles';
import { hpccHere } from '../command-line';
import type { Outcome } from '../command-line';

/** Far more than a packet takes, and ends each wait of a suite. */
export const WAIT_MS = 100;

type Cables = readonly (readonly [string, string])[];

/** Ports of a switch at the far ends of cables, from 1 on. */
export const portsOf = (cables: Cables): string[] => cables.map(([, end], i) => `${i + 1}@${end}`);

/** Runs the judge at the near ends of cables to ports 1 to 3 of a device: in, out, collector. */
export function judgeAtCables(
  role: JudgedRole,
  cables: Cables,
  ...more: string[]
): Promise<Outcome> {
  const [into = '', out = '', collector = ''] = cables.map(([end]) => end);
  const ways = ['--in', into, '--out', out, '--wait-ms', String(WAIT_MS)];
  if (isReporting(role)) ways.push('--collector', collector);
  return hpccHere('int', 'judge', '--dut', 'interfaces', '--role', role, ...ways, ...more);
}

/** Clauses that failed, and how many clauses passed, of lines of JSON. */
export function verdictsOf(stdout: string): {
  readonly failed: unknown[];
  readonly passed: Set<string>;
} {
  const verdicts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { verdict: string; clause: string });
  const passed = verdicts.flatMap(({ verdict, clause }) => (verdict === 'pass' ? clause : []));
  return { failed: verdicts.filter(({ verdict }) => verdict === 'fail'), passed: new Set(passed) };
}
