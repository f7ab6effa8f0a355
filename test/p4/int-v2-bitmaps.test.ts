import fc from 'fast-check';
import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { runStf } from '../../switch/stf/run/run-stf';
import { parseStf } from '../../switch/stf/text/parse-stf';
import type { StfTest } from '../../switch/stf/text/statements';
import { casesOf, SEED } from '../support/effort';
import { describeIf } from '../support/requires';
import { rowsOfFrames, tsharkAvailable } from '../support/tshark';
import { intCase, testOf } from './support/int-v2-cases';
import type { IntTest } from './support/int-v2-cases';
import { outcomeOf, profileJson, profilePath } from './support/profile-tests';

/**
 * Random instruction bitmaps, methods and carriers of INT-MD against a computation from the specification:
 * what source, transit and sink make of a packet is compared byte for byte.
 */
const PROFILE = 'int-v2';
const CASES = casesOf(40);
/** Cases of one test, which a watchlist holds. */
const BATCH = 200;

const sample = (count: number, seed: number): IntTest =>
  testOf(fc.sample(intCase, { numRuns: count, seed }));

const BATCHES = Array.from({ length: Math.ceil(CASES / BATCH) }, (_, i) =>
  sample(Math.min(BATCH, CASES - i * BATCH), SEED + i),
);
const stfOf = ({ stf }: IntTest): StfTest => parseStf(stf, 'random INT');

describe.each([...EXECUTORS])('random INT on the executor %s', (_name, executor) => {
  test('is pushed and taken out as the specification says', () => {
    const json = profileJson(PROFILE);
    for (const batch of BATCHES) {
      const verdict = runStf(stfOf(batch), readOutline(json), new EmbeddedTarget(json, executor));
      expect(outcomeOf(verdict)).toBe('pass');
    }
  });
});

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'random INT on bmv2', lack, () => {
  test(
    'is pushed and taken out as the specification says',
    async () => {
      const program = { path: profilePath(PROFILE), json: profileJson(PROFILE) };
      for (const batch of BATCHES) {
        expect(outcomeOf(await runStfOnBmv2(program, stfOf(batch)))).toBe('pass');
      }
    },
    180_000 * BATCHES.length,
  );
});

/** IPv6 has no checksum: one that tshark finds is of a random packet inside. */
const isIpv6 = (frame: Uint8Array | undefined): boolean => frame?.[12] === 0x86;

/** Checksum states of tshark: good, not there, and none over IPv6, which RFC 6936 lets tunnels have. */
const GOOD = ['1', '3', '4'];
const CHECKS = ['ip.check_checksum', 'udp.check_checksum', 'tcp.check_checksum'];
const FIELDS = ['ip.checksum.status', 'udp.checksum.status', 'tcp.checksum.status'];

describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
  test('finds the checksums good of the frames that are expected', () => {
    const frames = BATCHES.flatMap(({ expected }) => expected);
    const options = CHECKS.flatMap((check) => ['-o', `${check}:TRUE`]);
    const rows = rowsOfFrames(frames, FIELDS, options);
    // Of the outermost headers: what tunnels carry here is random.
    const states = rows.map((row, i) =>
      row.slice(isIpv6(frames[i]) ? 1 : 0).map((cell) => cell.split(',')[0] ?? ''),
    );
    const bad = states.flatMap((row, i) =>
      row.every((state) => state === '' || GOOD.includes(state)) ? [] : [i],
    );
    expect(bad).toEqual([]);
  });
});
