import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';
import {
  PROFILE_RUNS,
  VIRTUAL_TIME_ONLY,
  isPaced,
  outcomeOf,
  profileJson,
  profilePath,
  readProfileTest,
} from './support/profile-tests';

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'the STF tests of the profiles on bmv2', lack, () => {
  const passes = async (name: string, profile: string): Promise<void> => {
    const program = { path: profilePath(profile), json: profileJson(profile) };
    expect(outcomeOf(await runStfOnBmv2(program, readProfileTest(name, profile)))).toBe('pass');
  };

  // At the same time, as they wait for silence most of the time.
  const runs = PROFILE_RUNS.filter(([name]) => !VIRTUAL_TIME_ONLY.has(name));
  const unpaced = runs.filter(([name]) => !isPaced(name));
  const some = sampled('tests are not run on bmv2', unpaced, 12, ([, profile]) => profile);
  test.concurrent.each(some)('%s passes on %s', passes, 180_000);
  test.each(runs.filter(([name]) => isPaced(name)))('%s passes on %s', passes, 180_000);
});
