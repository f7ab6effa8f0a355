import * as fs from 'node:fs';
import * as path from 'node:path';
import { TNA_PROGRAMS } from '../../common/io/p4-profiles';
import { tofinoModelAvailable } from '../../switch/io/tofino-model/harness';
import type { StfTest } from '../../switch/stf/text/statements';
import { EFFORT } from '../support/effort';
import { ROOT } from '../support/paths';
import { describeIf, reportSkipped } from '../support/requires';
import { observing, onTofinoModel, onTwin, withoutDesign } from './support/beside-twin';
import { NOT_ON_MODEL, WRONG_ON_MODEL } from './support/chip-set-up';
import { PROFILE_TESTS, profileOf, readProfileTest } from './support/profile-tests';
import { randomChipTest } from './support/random-chip-tests';

/** Where `hpcc p4 build --target tna` leaves it. */
const folderOf = (profile: string): string => path.join(ROOT, 'out', 'tna', 'tofino', profile);

const MINUTES = 60_000;

/** Random set-ups, and how many random packets each gets: 2,000 at full effort. */
const RANDOM = [1, 2, 3, 4, 5, 6].map((seed) => [seed, seed === 6 ? 1000 : 200] as const);

const hasModel = tofinoModelAvailable();

describe.each(TNA_PROGRAMS.map(({ name }) => name))('on the Tofino model, %s', (profile) => {
  const fault = WRONG_ON_MODEL.get(profile);
  if (fault !== undefined) {
    reportSkipped('beside its twin', fault);
    return;
  }
  const folder = folderOf(profile);
  const isBuilt = fs.existsSync(path.join(folder, 'pipe', 'tofino.bin'));
  const lack = `tofino_test_harness is not on PATH, or out/tna has no ${profile}`;
  describeIf(hasModel && isBuilt, 'beside its twin', lack, () => {
    const names = PROFILE_TESTS.filter((name) => profileOf(name) === profile);
    for (const name of names) {
      const reason = NOT_ON_MODEL.get(name);
      if (reason !== undefined) reportSkipped(name, reason);
    }
    const possible = names.filter((name) => !NOT_ON_MODEL.has(name));
    test.each(EFFORT > 1 ? possible : possible.slice(0, 2))(
      'does the same in %s',
      async (name) => expectSame(profile, readProfileTest(name, `${profile}-model`)),
      5 * MINUTES,
    );

    if (profile === 'hpcc') {
      test(
        'sends the packets of a flow and its probe by one port of a group',
        async () => {
          const probes = observing(readProfileTest('hpcc.probe', 'hpcc-model'));
          const { packets } = await onTofinoModel(folder, profile, probes);
          const ports = new Map<string, Set<string>>();
          for (const packet of packets) {
            const [port = '', digits = ''] = packet.split(' ');
            const flow = flowOf(Buffer.from(digits, 'hex'));
            ports.set(flow, (ports.get(flow) ?? new Set()).add(port));
          }
          expect([...ports.values()].map((each) => each.size)).toEqual([...ports].map(() => 1));
          expect(new Set([...ports.values()].flatMap((each) => [...each])).size).toBeGreaterThan(1);
        },
        5 * MINUTES,
      );
    }

    test.each(EFFORT > 1 ? RANDOM : RANDOM.slice(0, 1))(
      'does the same with random entries, seed %d, and %d random packets',
      async (seed, packets) => expectSame(profile, randomChipTest(profile, seed, packets)),
      10 * MINUTES,
    );
  });
});

/** Addresses, protocol and ports of a packet without IP options. */
function flowOf(frame: Buffer): string {
  const isIpv4 = frame.readUInt16BE(12) === 0x0800;
  const [addresses, l4, protocol] = isIpv4 ? [26, 34, 23] : [22, 54, 20];
  return `${frame.toString('hex', addresses, l4 + 4)} ${frame.readUInt8(protocol)}`;
}

async function expectSame(profile: string, whole: StfTest): Promise<void> {
  const { test: shown } = withoutDesign(profile, observing(whole));
  const seen = await onTofinoModel(folderOf(profile), profile, shown);
  expect(seen).toEqual(onTwin(profile, shown));
}
