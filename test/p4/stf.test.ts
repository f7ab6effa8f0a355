import * as fs from 'node:fs';
import { EmbeddedTarget } from '../../switch/stf/embedded-target';
import { EXECUTORS } from '../../switch/stf/executors';
import { readOutline } from '../../switch/stf/outline';
import { parseStf } from '../../switch/stf/parse-stf';
import { runStf } from '../../switch/stf/run-stf';
import { bmv2RunsStf, runStfOnBmv2 } from '../../emulator/io/bmv2/run-stf';
import { describeIf } from '../support/requires';
import {
  allTests,
  programJson,
  programJsonPath,
  programOf,
  testPath,
} from './support/test-programs';
import type { StfTest, StfVerdict } from '../../switch/stf/run-stf';

const readTest = (name: string): StfTest =>
  parseStf(fs.readFileSync(testPath(name), 'utf8'), `${name}.stf`);

const outcome = (verdict: StfVerdict): unknown =>
  verdict.kind === 'fail' ? verdict.difference : verdict.kind;

describe.each([...EXECUTORS])('the STF tests on the executor %s', (_name, executor) => {
  test.each(allTests())('%s passes', (name) => {
    const json = programJson(programOf(name));
    const verdict = runStf(readTest(name), readOutline(json), new EmbeddedTarget(json, executor));
    expect(outcome(verdict)).toBe('pass');
  });
});

/** bmv2's command line has no way to see what these are about. */
const UNSEEN_ON_BMV2: readonly string[] = ['act_log_assert-messages', 'digest-messages'];

const onBmv2 = allTests().filter((name) => !UNSEEN_ON_BMV2.includes(name));
const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'the STF tests on bmv2', lack, () => {
  test.each(onBmv2)(
    '%s passes',
    async (name) => {
      const program = programOf(name);
      const path = programJsonPath(program);
      const verdict = await runStfOnBmv2({ path, json: programJson(program) }, readTest(name));
      expect(outcome(verdict)).toBe('pass');
    },
    60_000,
  );
});
