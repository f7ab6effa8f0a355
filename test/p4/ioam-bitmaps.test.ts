import fc from 'fast-check';
import { ioamNodeWords } from '../../common/wire/ioam/ioam-node';
import { EXECUTORS } from '../../switch/codegen/executors';
import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../switch/stf/run/outline';
import { runStf } from '../../switch/stf/run/run-stf';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { EFFORT, SEED } from '../support/effort';
import { describeIf } from '../support/requires';
import { rowsOfFrames, tsharkAvailable } from '../support/tshark';
import { ioamCase, testOf } from './support/ioam-cases';
import { outcomeOf, profileJson, profilePath } from './support/profile-tests';

/**
 * Random trace types of IOAM, in the slots of a pre-allocated trace in IPv6 and in front of an incremental one behind
 * NSH, against a computation from RFC 9197: what the node makes of a packet is compared byte for byte.
 */
const PROFILE = 'ioam';
/** Cases of one test, whose packets bmv2 gets one after the other. */
const BATCH = 200;
const BATCHES = Array.from({ length: EFFORT }, (_, i) => {
  const cases = fc.sample(ioamCase, { numRuns: BATCH, seed: SEED + i });
  const { stf, expected } = testOf(cases);
  return { cases, expected, test: parseStf(stf, 'random traces') };
});

test.each([...EXECUTORS])('random traces grow and fill on the executor %s', (_name, executor) => {
  const json = profileJson(PROFILE);
  for (const batch of BATCHES) {
    const verdict = runStf(batch.test, readOutline(json), new EmbeddedTarget(json, executor));
    expect(outcomeOf(verdict)).toBe('pass');
  }
});

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'random traces on bmv2', lack, () => {
  test(
    'grow and fill',
    async () => {
      const program = { path: profilePath(PROFILE), json: profileJson(PROFILE) };
      for (const batch of BATCHES) {
        expect(outcomeOf(await runStfOnBmv2(program, batch.test))).toBe('pass');
      }
    },
    180_000 * BATCHES.length,
  );
});

describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
  test('finds nothing wrong in the frames that are expected', () => {
    const lua = ['-X', 'lua_script:docs/wireshark/hpcc.lua'];
    const ofTrace = ['nodelen', 'remlen'].map((name) => `ipv6.opt.ioam.trace.invalid_${name}`);
    // It takes a NodeLen of 0 to be invalid, as types have that ask for a snapshot only.
    const frames = BATCHES.flatMap(({ cases, expected }) =>
      expected.filter((_, i) => ioamNodeWords(cases[i]?.traceType ?? 0) > 0),
    );
    const rows = rowsOfFrames(frames, [...ofTrace, 'hpcc.malformed'], lua);
    expect(rows.flatMap((row, i) => (row.some((cell) => cell !== '') ? [i] : []))).toEqual([]);
  });
});
