import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder, P4_PROFILES } from '../../common/io/p4-profiles';
import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { generate } from '../../switch/codegen/generate';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { runStf } from '../../switch/stf/run/run-stf';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';
import { setsQueueRates } from './support/paced-tests';
import type { StfVerdict } from '../../switch/stf/run/run-stf';
import type { StfTest } from '../../switch/stf/text/statements';

const FOLDER = path.join(ROOT, 'test', 'p4', 'profiles');
const SUFFIX = '.stf';

/** Names of the packet tests of the project's own data planes: `<profile>.<what>`. */
const TESTS = fs
  .readdirSync(FOLDER)
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length))
  .sort();

const NAMES = P4_PROFILES.map(({ name }) => name);

const profileOf = (test: string): string => test.split('.')[0] ?? test;

const readTest = (name: string): StfTest =>
  parseStf(fs.readFileSync(path.join(FOLDER, name + SUFFIX), 'utf8'), name + SUFFIX);

const programPath = (profile: string): string => path.join(p4ArtifactFolder(), `${profile}.json`);

const programJson = (profile: string): string => fs.readFileSync(programPath(profile), 'utf8');

const outcome = (verdict: StfVerdict): unknown =>
  verdict.kind === 'fail' ? verdict.difference : verdict.kind;

test('every packet test of a profile names a profile', () => {
  expect(TESTS.filter((name) => !NAMES.includes(profileOf(name)))).toEqual([]);
});

describe.each([...EXECUTORS])(
  'the STF tests of the profiles on the executor %s',
  (_name, executor) => {
    test.each(TESTS)('%s passes', (name) => {
      const json = programJson(profileOf(name));
      const verdict = runStf(readTest(name), readOutline(json), new EmbeddedTarget(json, executor));
      expect(outcome(verdict)).toBe('pass');
    });
  },
);

test.each(NAMES)('code is generated for %s, so that no interpreter stands in', (name) => {
  const program = readProgram(programJson(name));
  expect(() => generate(program, 511)).not.toThrow();
});

const isPaced = (name: string): boolean =>
  setsQueueRates(fs.readFileSync(path.join(FOLDER, name + SUFFIX), 'utf8'));

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'the STF tests of the profiles on bmv2', lack, () => {
  const passes = async (name: string): Promise<void> => {
    const profile = profileOf(name);
    const program = { path: programPath(profile), json: programJson(profile) };
    expect(outcome(await runStfOnBmv2(program, readTest(name)))).toBe('pass');
  };

  // At the same time, as they wait for silence most of the time.
  test.concurrent.each(TESTS.filter((name) => !isPaced(name)))('%s passes', passes, 180_000);
  test.each(TESTS.filter(isPaced))('%s passes', passes, 180_000);
});
