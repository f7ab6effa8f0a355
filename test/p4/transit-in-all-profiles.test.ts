import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import type { ExecutorFactory } from '../../switch/executor/executor';
import { EXECUTORS } from '../../switch/codegen/executors';
import { DEFAULT_EXECUTOR } from '../../switch/codegen/executor-names';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { runStf } from '../../switch/stf/run/run-stf';
import { ROOT } from '../support/paths';
import { sampled } from '../support/sampled';

/**
 * Tests of the transit switch, which the other profiles of INT pass byte for byte while not asked for more.
 */
const FOLDER = path.join(ROOT, 'test', 'p4', 'profiles');
const testsOf = (profile: string): readonly string[] =>
  fs.readdirSync(FOLDER).filter((name) => name.startsWith(`${profile}.`));
const TESTS = testsOf('hpcc');
const PROFILES = [
  'hpcc-edge',
  'hpcc-feedback',
  'hpcc-feedback-signed',
  'hpcc-queues',
  'hpcc-sparse',
  'hpcc-spray',
  'hpcc-trim',
  'hpcc-spray-trim',
  'hpcc-usid',
  'hpcc-ccm',
  'int-v2',
];

/** Tests of what follows one set of instructions alone; `int-v2` follows all. */
const OF_ONE_SET = ['hpcc.untouched.stf', 'hpcc.vectors.stf'];

const passedBy = (profile: string): readonly string[] =>
  profile === 'int-v2' ? TESTS.filter((name) => !OF_ONE_SET.includes(name)) : TESTS;

const CASES = [...EXECUTORS].flatMap(([name, executor]) => {
  const profiles = name === DEFAULT_EXECUTOR ? PROFILES : sampled('profiles', PROFILES, 3);
  return profiles.map((profile) => ({ profile, name, executor }));
});

/** Outcome of a program of one profile on a packet test of another. */
function outcome(profile: string, name: string, executor: ExecutorFactory): unknown {
  const json = fs.readFileSync(path.join(p4ArtifactFolder(), `${profile}.json`), 'utf8');
  const stf = parseStf(fs.readFileSync(path.join(FOLDER, name), 'utf8'), name);
  const verdict = runStf(stf, readOutline(json), new EmbeddedTarget(json, executor));
  return verdict.kind === 'fail' ? verdict.difference : verdict.kind;
}

describe.each(CASES)('$profile on the executor $name', ({ profile, executor }) => {
  test.each(passedBy(profile))('passes %s of the transit switch', (name) => {
    expect(outcome(profile, name, executor)).toBe('pass');
  });
});

describe.each([...EXECUTORS])('without uSIDs and spray on the executor %s', (_name, executor) => {
  describe.each(['hpcc-usid', 'hpcc-spray-trim'])('%s', (profile) => {
    test.each(testsOf('hpcc-trim'))('passes %s', (name) => {
      expect(outcome(profile, name, executor)).toBe('pass');
    });
  });
});

describe.each([...EXECUTORS])('in turn on the executor %s', (_name, executor) => {
  test('hpcc-spray-trim chooses as hpcc-spray', () => {
    expect(outcome('hpcc-spray-trim', 'hpcc-spray.turns.stf', executor)).toBe('pass');
  });
});

describe.each([...EXECUTORS])('without a key on the executor %s', (_name, executor) => {
  test.each(testsOf('hpcc-feedback'))('hpcc-feedback-signed passes %s', (name) => {
    expect(outcome('hpcc-feedback-signed', name, executor)).toBe('pass');
  });
});
