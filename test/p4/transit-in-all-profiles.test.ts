import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { runStf } from '../../switch/stf/run/run-stf';
import { ROOT } from '../support/paths';

/** What the transit switch does, the other profiles of INT do byte for byte while not asked for more. */
const FOLDER = path.join(ROOT, 'test', 'p4', 'profiles');
const TESTS = fs.readdirSync(FOLDER).filter((name) => name.startsWith('hpcc.'));
const PROFILES = ['hpcc-edge', 'hpcc-feedback', 'hpcc-queues', 'hpcc-sparse', 'hpcc-ccm'];

const CASES = PROFILES.flatMap((profile) =>
  [...EXECUTORS].map(([name, executor]) => ({ profile, name, executor })),
);

describe.each(CASES)('$profile on the executor $name', ({ profile, executor }) => {
  test.each(TESTS)('passes %s of the transit switch', (name) => {
    const json = fs.readFileSync(path.join(p4ArtifactFolder(), `${profile}.json`), 'utf8');
    const stf = parseStf(fs.readFileSync(path.join(FOLDER, name), 'utf8'), name);
    const verdict = runStf(stf, readOutline(json), new EmbeddedTarget(json, executor));
    expect(verdict.kind === 'fail' ? verdict.difference : verdict.kind).toBe('pass');
  });
});
