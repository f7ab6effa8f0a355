import { P4_PROFILES } from '../../common/io/p4-profiles';
import { generate } from '../../switch/codegen/generate';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { DEFAULT_EXECUTOR } from '../../switch/codegen/executor-names';
import { readOutline } from '../../switch/stf/run/outline';
import { runStf } from '../../switch/stf/run/run-stf';
import {
  MODEL_TESTS,
  PROFILE_RUNS,
  PROFILE_TESTS,
  outcomeOf,
  profileJson,
  profileOf,
  readProfileTest,
} from './support/profile-tests';
import { TOFINO_MODELS } from './support/tofino-models';
import { sampled } from '../support/sampled';

const NAMES = P4_PROFILES.map(({ name }) => name);
const MODELS = TOFINO_MODELS.map(({ name }) => name);

test('every packet test of a profile names a profile', () => {
  expect(PROFILE_TESTS.filter((name) => !NAMES.includes(profileOf(name)))).toEqual([]);
});

test('every packet test of a model alone stands in place of one of its profile', () => {
  expect(MODEL_TESTS.filter((name) => !PROFILE_TESTS.includes(name))).toEqual([]);
});

describe.each([...EXECUTORS])(
  'the STF tests of the profiles on the executor %s',
  (executorName, executor) => {
    const runs =
      executorName === DEFAULT_EXECUTOR
        ? PROFILE_RUNS
        : sampled('tests of profiles', PROFILE_RUNS, 2, ([, profile]) => profile);
    test.each(runs)('%s passes on %s', (name, profile) => {
      const json = profileJson(profile);
      const target = new EmbeddedTarget(json, executor);
      const verdict = runStf(readProfileTest(name, profile), readOutline(json), target);
      expect(outcomeOf(verdict)).toBe('pass');
    });
  },
);

test.each([...NAMES, ...MODELS])(
  'code is generated for %s, so that no interpreter stands in',
  (name) => {
    const program = readProgram(profileJson(name));
    expect(() => generate(program, 511)).not.toThrow();
  },
);
