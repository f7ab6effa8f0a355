import * as fs from 'node:fs';
import { generate } from '../../switch/codegen/generate';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { runStf } from '../../switch/stf/run/run-stf';
import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { NO_INDEX_CHECKS, bmv2ChecksIndices } from '../support/bmv2-index-checks';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';
import { setsQueueRates } from './support/paced-tests';
import {
  allTests,
  programJson,
  programJsonPath,
  programOf,
  testPath,
  testPrograms,
} from './support/test-programs';
import type { StfVerdict } from '../../switch/stf/run/run-stf';
import type { StfTest } from '../../switch/stf/text/statements';

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

test.each(testPrograms())('code is generated for %s, so that no interpreter stands in', (name) => {
  const program = readProgram(programJson(name));
  expect(() => generate(program, 511)).not.toThrow();
});

/** Tests that bmv2 1.15 cannot take, and why. */
const NOT_ON_BMV2: ReadonlyMap<string, string> = new Map([
  ['act_log_assert-messages', 'its command line does not show messages'],
  ['digest-messages', 'its command line does not show digests'],
  ['parser_value_set', 'it aborts when a value is added to a value set: width in bytes or bits'],
  ['tbl_selector-empty_group', 'over Thrift it refuses entries of empty groups'],
]);

/** Tests with packets that go outside an array of registers or meters. */
const NEED_INDEX_CHECKS = ['registers', 'registers-outside', 'meter_packets'];

const onBmv2 = allTests().filter(
  (name) => !NOT_ON_BMV2.has(name) && !NEED_INDEX_CHECKS.includes(name),
);
const isPaced = (name: string): boolean => setsQueueRates(fs.readFileSync(testPath(name), 'utf8'));

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'the STF tests on bmv2', lack, () => {
  const passes = async (name: string): Promise<void> => {
    const program = programOf(name);
    const path = programJsonPath(program);
    const verdict = await runStfOnBmv2({ path, json: programJson(program) }, readTest(name));
    expect(outcome(verdict)).toBe('pass');
  };

  // At the same time, as they wait for silence most of the time.
  const unpaced = onBmv2.filter((name) => !isPaced(name));
  test.concurrent.each(sampled('tests are not run on bmv2', unpaced, 6))(
    '%s passes',
    passes,
    180_000,
  );
  test.each(onBmv2.filter(isPaced))('%s passes', passes, 180_000);

  describeIf(bmv2ChecksIndices(), 'with indices outside of arrays', NO_INDEX_CHECKS, () => {
    test.each(NEED_INDEX_CHECKS)('%s passes', passes, 180_000);
  });
});
