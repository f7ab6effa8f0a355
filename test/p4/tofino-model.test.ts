import * as fs from 'node:fs';
import * as path from 'node:path';
import { tofinoModelAvailable } from '../../switch/io/tofino-model/harness';
import { runStfOnTofinoModel } from '../../switch/io/tofino-model/run-stf';
import type { Statement, StfTest } from '../../switch/stf/text/statements';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';
import { outcomeOf, readProfileTest } from './support/profile-tests';
import { withoutClock } from './support/without-clock';

/** Where `hpcc p4 build --target tna` leaves it. */
const PROGRAM = path.join(ROOT, 'out', 'tna', 'tofino', 'hpcc');

const isBuilt = fs.existsSync(path.join(PROGRAM, 'pipe', 'tofino.bin'));
const lack = 'tofino_test_harness is not on PATH, or out/tna has no hpcc';
describeIf(tofinoModelAvailable() && isBuilt, 'the program on the Tofino model', lack, () => {
  test('pushes its block above older ones', async () => {
    const test = withoutIpv4Checksums(
      firstPackets(readProfileTest('hpcc.transit', 'hpcc-model'), 4),
    );
    const verdict = await runStfOnTofinoModel(PROGRAM, test, withoutClock);
    expect(outcomeOf(verdict)).toBe('pass');
  }, 300_000);
});

/** TCP with options, which follows, passes without a block. */
function firstPackets(test: StfTest, count: number): StfTest {
  const packets = test.statements.filter(({ command }) => command.kind === 'packet');
  const end = packets[count];
  return { ...test, statements: test.statements.slice(0, end && test.statements.indexOf(end)) };
}

/** The header checksum, which the program gets wrong (docs/tofino.md). */
const withoutIpv4Checksums = (test: StfTest): StfTest => ({
  ...test,
  statements: test.statements.map(withoutIpv4Checksum),
});

function withoutIpv4Checksum(statement: Statement): Statement {
  const { command } = statement;
  if (command.kind !== 'expect' || command.pattern === undefined) return statement;
  const { digits } = command.pattern;
  const masked = `${digits.slice(0, 48)}****${digits.slice(52)}`;
  return { ...statement, command: { ...command, pattern: { ...command.pattern, digits: masked } } };
}
