import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder, P4_PROFILES } from '../../../common/io/p4-profiles';
import type { StfVerdict } from '../../../switch/stf/run/run-stf';
import { parseStf } from '../../../switch/stf/text/parse-stf';
import type { StfTest } from '../../../switch/stf/text/statements';
import { ROOT } from '../../support/paths';
import { countedIn32Bits } from './narrow-counters';
import { setsQueueRates } from './paced-tests';

const FOLDER = path.join(ROOT, 'test', 'p4', 'profiles');
const SUFFIX = '.stf';

/** Names of the packet tests of the project's own data planes: `<profile>.<what>`. */
export const PROFILE_TESTS = fs
  .readdirSync(FOLDER)
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length))
  .sort();

/** The profile that a packet test names. */
export const profileOf = (test: string): string => test.split('.')[0] ?? test;

/** Every packet test with each program that passes it: its profile, and that one's twin. */
export const PROFILE_RUNS = PROFILE_TESTS.flatMap((name) => {
  const twins = P4_PROFILES.filter(({ twinOf }) => twinOf === profileOf(name));
  return [profileOf(name), ...twins.map((profile) => profile.name)].map(
    (profile): readonly [name: string, profile: string] => [name, profile],
  );
});

const readText = (name: string): string =>
  fs.readFileSync(path.join(FOLDER, name + SUFFIX), 'utf8');

export function readProfileTest(name: string, profile: string): StfTest {
  const test = parseStf(readText(name), name + SUFFIX);
  return profile === profileOf(name) ? test : countedIn32Bits(test);
}

/** Whether what the test expects depends on when bmv2 gets its turn. */
export const isPaced = (name: string): boolean => setsQueueRates(readText(name));

export const profilePath = (profile: string): string =>
  path.join(p4ArtifactFolder(), `${profile}.json`);

export const profileJson = (profile: string): string =>
  fs.readFileSync(profilePath(profile), 'utf8');

/** What a failure shows. */
export const outcomeOf = (verdict: StfVerdict): unknown =>
  verdict.kind === 'fail' ? verdict.difference : verdict.kind;
