import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { readOutline } from '../../switch/stf/run/outline';
import { runStf } from '../../switch/stf/run/run-stf';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';
import { countsBytes, overIpv6 } from './support/ipv6-twin';
import {
  isPaced,
  outcomeOf,
  PROFILE_TESTS,
  VIRTUAL_TIME_ONLY,
  profileJson,
  profileOf,
  profilePath,
  readProfileTest,
} from './support/profile-tests';

const PROFILE = 'hpcc-ccm';
/** Options, and fragments without a header of their own, are IPv4's. */
const IPV4_ONLY = ['hpcc-ccm.fragments'];
const TESTS = PROFILE_TESTS.filter(
  (name) => profileOf(name) === PROFILE && !IPV4_ONLY.includes(name),
);
const JSON_TEXT = profileJson(PROFILE);

test('every packet test of coordination has a twin over IPv6, but those about IPv4 alone', () => {
  expect(TESTS.length).toBeGreaterThan(13);
  for (const name of IPV4_ONLY) {
    expect(() => overIpv6(readProfileTest(name, PROFILE))).toThrow('have no twin');
  }
});

test('twins leave out what tests say of the bytes of ports, and nothing else', () => {
  const leftOut = TESTS.flatMap((name) => {
    const { statements } = readProfileTest(name, PROFILE);
    const count = statements.filter(({ command }) => countsBytes(command)).length;
    // A sender has two addresses.
    const added = statements.filter(
      ({ command }) => command.kind === 'setdefault' && command.table === 'sender',
    ).length;
    expect(overIpv6(readProfileTest(name, PROFILE)).statements).toHaveLength(
      statements.length + added - count,
    );
    return count === 0 ? [] : [[name, count]];
  });
  expect(leftOut).toEqual([
    ['hpcc-ccm.loads', 6],
    ['hpcc-ccm.tags', 1],
  ]);
});

describe.each([...EXECUTORS])('over IPv6, on the executor %s', (_name, executor) => {
  test.each(TESTS)('%s passes', (name) => {
    const target = new EmbeddedTarget(JSON_TEXT, executor);
    const stf = overIpv6(readProfileTest(name, PROFILE));
    expect(outcomeOf(runStf(stf, readOutline(JSON_TEXT), target))).toBe('pass');
  });
});

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'over IPv6, on bmv2', lack, () => {
  const passes = async (name: string): Promise<void> => {
    const program = { path: profilePath(PROFILE), json: JSON_TEXT };
    const stf = overIpv6(readProfileTest(name, PROFILE));
    expect(outcomeOf(await runStfOnBmv2(program, stf))).toBe('pass');
  };

  const onBmv2 = TESTS.filter((name) => !VIRTUAL_TIME_ONLY.has(name));
  const unpaced = onBmv2.filter((name) => !isPaced(name));
  const some = sampled('tests are not run on bmv2', unpaced, 3);
  test.concurrent.each(some)('%s passes', passes, 180_000);
  test.each(onBmv2.filter(isPaced))('%s passes', passes, 180_000);
});
