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
import { countedIn32Bits } from './support/narrow-counters';
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

/** The profile that a packet test names. */
const profileOf = (test: string): string => test.split('.')[0] ?? test;

/** Every packet test with each program that passes it: its profile, and that one's twin. */
const RUNS = TESTS.flatMap((name) => {
  const twins = P4_PROFILES.filter(({ twinOf }) => twinOf === profileOf(name));
  return [profileOf(name), ...twins.map((profile) => profile.name)].map(
    (profile): readonly [name: string, profile: string] => [name, profile],
  );
});

function readTest(name: string, profile: string): StfTest {
  const test = parseStf(fs.readFileSync(path.join(FOLDER, name + SUFFIX), 'utf8'), name + SUFFIX);
  return profile === profileOf(name) ? test : countedIn32Bits(test);
}

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
    test.each(RUNS)('%s passes on %s', (name, profile) => {
      const json = programJson(profile);
      const target = new EmbeddedTarget(json, executor);
      const verdict = runStf(readTest(name, profile), readOutline(json), target);
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
  const passes = async (name: string, profile: string): Promise<void> => {
    const program = { path: programPath(profile), json: programJson(profile) };
    expect(outcome(await runStfOnBmv2(program, readTest(name, profile)))).toBe('pass');
  };

  // At the same time, as they wait for silence most of the time.
  const unpaced = RUNS.filter(([name]) => !isPaced(name));
  test.concurrent.each(unpaced)('%s passes on %s', passes, 180_000);
  test.each(RUNS.filter(([name]) => isPaced(name)))('%s passes on %s', passes, 180_000);
});
