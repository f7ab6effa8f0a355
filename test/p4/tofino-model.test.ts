import * as fs from 'node:fs';
import * as path from 'node:path';
import { TNA_PROGRAMS } from '../../common/io/p4-profiles';
import { MODEL_CHIPS } from '../../switch/io/tofino-model/chips';
import { tofinoModelAvailable } from '../../switch/io/tofino-model/harness';
import type { StfTest } from '../../switch/stf/text/statements';
import { EFFORT } from '../support/effort';
import { ROOT } from '../support/paths';
import { describeIf, reportSkipped } from '../support/requires';
import { observing, onTofinoModel, onTwin, withoutDesign } from './support/beside-twin';
import { forModelClock, NOT_ON_MODEL } from './support/chip-set-up';
import { CELLS_OF_ROW, ecmpTest, limiterTest, readingCells } from './support/chip-states';
import { PROFILE_TESTS, profileOf, readProfileTest } from './support/profile-tests';
import { randomChipTest } from './support/random-chip-tests';

/** Where `hpcc p4 build --target tna` leaves it. */
const folderOf = (chip: string, profile: string): string =>
  path.join(ROOT, 'out', 'tna', chip, profile);

const MINUTES = 60_000;

/** Random set-ups, and how many random packets each gets: 2,000 at full effort. */
const RANDOM = [1, 2, 3, 4, 5, 6].map((seed) => [seed, seed === 6 ? 1000 : 200] as const);

const CHIPS: readonly (keyof typeof MODEL_CHIPS)[] = ['tofino', 'tofino2'];
const modelled = new Set(CHIPS.filter((chip) => tofinoModelAvailable(MODEL_CHIPS[chip])));

const PROGRAMS = CHIPS.flatMap((chip) => TNA_PROGRAMS.map(({ name }) => [chip, name] as const));

describe.each(PROGRAMS)('on the model of %s, %s', (chip, profile) => {
  const { harness, binary } = MODEL_CHIPS[chip];
  const folder = folderOf(chip, profile);
  const isBuilt = fs.existsSync(path.join(folder, 'pipe', binary));
  const lack = `${harness} is not on PATH, or out/tna/${chip} has no ${profile}`;
  describeIf(modelled.has(chip) && isBuilt, 'beside its twin', lack, () => {
    const names = PROFILE_TESTS.filter((name) => profileOf(name) === profile);
    for (const name of names) {
      const reason = NOT_ON_MODEL.get(name);
      if (reason !== undefined) reportSkipped(name, reason);
    }
    const possible = names.filter((name) => !NOT_ON_MODEL.has(name));
    test.each(EFFORT > 1 ? possible : possible.slice(0, 2))(
      'does the same in %s',
      async (name) => expectSame(folder, profile, readProfileTest(name, `${profile}-model`)),
      5 * MINUTES,
    );

    if (profile === 'hpcc') {
      test.each([
        [2, 0],
        [4, 1],
        [8, 40_000],
      ])(
        'chooses among %d next hops with seed %d as its twin does, with hashes as they are',
        async (members, seed) =>
          expectSame(folder, profile, ecmpTest(members, seed, EFFORT > 1 ? 250 : 10)),
        5 * MINUTES,
      );

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

    if (profile === 'hpcc-feedback') {
      test(
        'marks the cells of its limiter that the twin marks',
        async () => {
          const sent = observing(limiterTest(400, EFFORT > 1 ? 1000 : 40));
          const cells = Array.from({ length: CELLS_OF_ROW }, (_, i) => i);
          const marked = cellsOf(onTwin(profile, readingCells(sent, cells)).figures);
          const read = [...marked, ...cells.filter((cell) => cell % 1021 === 0)];
          const { figures } = await onTofinoModel(folder, profile, readingCells(sent, read));
          expect(figures.map(isMarked)).toEqual(
            onTwin(profile, readingCells(sent, read)).figures.map(isMarked),
          );
          expect(marked.length).toBeGreaterThan(10);
        },
        10 * MINUTES,
      );
    }

    test.each(EFFORT > 1 ? RANDOM : RANDOM.slice(0, 1))(
      'does the same with random entries, seed %d, and %d random packets',
      async (seed, packets) => expectSame(folder, profile, randomChipTest(profile, seed, packets)),
      10 * MINUTES,
    );
  });
});

const MARK = /\((\d+)\): (\d+)$/;

/** A figure of a cell, which holds a time of a clock of its own: whether it holds any. */
const isMarked = (figure: string): string =>
  figure.replace(MARK, (_, cell: string, time: string) => `(${cell}): ${time !== '0'}`);

/** Cells that hold a time, in either row. */
function cellsOf(figures: readonly string[]): readonly number[] {
  const found = figures.flatMap((figure) => {
    const [, cell, time] = MARK.exec(figure) ?? [];
    return time === '0' ? [] : [Number(cell)];
  });
  return [...new Set(found)];
}

/** Addresses, protocol and ports of a packet without IP options. */
function flowOf(frame: Buffer): string {
  const isIpv4 = frame.readUInt16BE(12) === 0x0800;
  const [addresses, l4, protocol] = isIpv4 ? [26, 34, 23] : [22, 54, 20];
  return `${frame.toString('hex', addresses, l4 + 4)} ${frame.readUInt8(protocol)}`;
}

async function expectSame(folder: string, profile: string, whole: StfTest): Promise<void> {
  const { test: shown } = withoutDesign(profile, forModelClock(observing(whole)));
  const seen = await onTofinoModel(folder, profile, shown);
  expect(seen).toEqual(onTwin(profile, shown));
}
