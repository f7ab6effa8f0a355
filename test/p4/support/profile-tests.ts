import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../../common/io/p4-profiles';
import type { StfVerdict } from '../../../switch/stf/run/run-stf';
import { parseStf } from '../../../switch/stf/text/parse-stf';
import type { StfTest } from '../../../switch/stf/text/statements';
import { ROOT } from '../../support/paths';
import { countedIn32Bits } from './narrow-counters';
import { setsQueueRates } from './paced-tests';
import { MODEL_FOLDER, modelJsonPath, TOFINO_MODELS } from './tofino-models';

const FOLDER = path.join(ROOT, 'test', 'p4', 'profiles');
const SUFFIX = '.stf';

/** Packet tests for models in place of those of their profiles: what a chip does otherwise by design. */
const MODEL_PACKETS = path.join(MODEL_FOLDER, 'packets');

/** Names of the packet tests of the project's own data planes: `<profile>.<what>`. */
export const PROFILE_TESTS = namesIn(FOLDER);

export const MODEL_TESTS = namesIn(MODEL_PACKETS);

/** The profile that a packet test names. */
export const profileOf = (test: string): string => test.split('.')[0] ?? test;

/** Every packet test with each program that passes it: its profile, and the model of it on Tofino. */
export const PROFILE_RUNS = PROFILE_TESTS.flatMap((name) => {
  const models = TOFINO_MODELS.filter(({ modelOf }) => modelOf === profileOf(name));
  return [profileOf(name), ...models.map((model) => model.name)].map(
    (profile): readonly [name: string, profile: string] => [name, profile],
  );
});

function namesIn(folder: string): readonly string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort();
}

const readText = (name: string): string =>
  fs.readFileSync(path.join(FOLDER, name + SUFFIX), 'utf8');

export function readProfileTest(name: string, profile: string): StfTest {
  if (profile === profileOf(name)) return parseStf(readText(name), name + SUFFIX);
  const own = path.join(MODEL_PACKETS, name + SUFFIX);
  const text = fs.existsSync(own) ? fs.readFileSync(own, 'utf8') : readText(name);
  return countedIn32Bits(parseStf(text, name + SUFFIX));
}

/** True if the expected packets depend on when bmv2 gets its turn. */
export const isPaced = (name: string): boolean => setsQueueRates(readText(name));

/** Packet tests that only virtual time can hold exactly, and why. */
export const VIRTUAL_TIME_ONLY: ReadonlyMap<string, string> = new Map([
  [
    'hpcc-ccm.full',
    'a packet has to come within one window of time; hpcc-ccm.filled has no such one',
  ],
]);

/** The committed BMv2 JSON of a profile or of a model. */
export const profilePath = (name: string): string =>
  TOFINO_MODELS.some((model) => model.name === name)
    ? modelJsonPath(name)
    : path.join(p4ArtifactFolder(), `${name}.json`);

export const profileJson = (profile: string): string =>
  fs.readFileSync(profilePath(profile), 'utf8');

/** Details of a failure for the test's message. */
export const outcomeOf = (verdict: StfVerdict): unknown =>
  verdict.kind === 'fail' ? verdict.difference : verdict.kind;
