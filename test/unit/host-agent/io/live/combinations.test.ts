import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../../common/io/repository';
import type { SwitchProcess } from '../../../../../bench/live/switch-process';
import { REALTIME } from '../../../../../mininet/io/run-plan';
import type { Combination } from '../../../../support/combinations';
import { nameOf, tableCells } from '../../../../support/combinations';
import {
  COORDINATION_KEY,
  LIVE_COMBINATIONS,
  LIVE_GROUPS,
  liveTable,
  RATE_BPS,
} from '../../../../support/live/live-combinations';
import type { LiveGroup } from '../../../../support/live/live-combinations';
import { FLOWS, runCombination } from './run-combination';
import type { LiveBed, LiveOutcome } from './run-combination';
import { StartedGroup } from '../../../../support/live/started-group';
import {
  BMV2,
  loadFor,
  makeTrios,
  removeTrios,
  startSwitchFor,
  SWITCHES,
} from '../../../../support/live/trios';
import type { LiveSwitch, Trio } from '../../../../support/live/trios';
import { canMakeNamespaces, LEAST_LIVE_UTILIZATION } from '../../../../support/live-network';
import { describeIf, isOnPath } from '../../../../support/requires';
import { EFFORT } from '../../../../support/effort';

const AT_ONCE = 4;
/** Number of combinations at once among those that have missed a bar. */
const AGAIN_AT_ONCE = 2;
/**
 * Other work on the machine may take the processor from all of it: the best of a few runs counts. A host
 * that stands still for longer than plausibility allows refuses a record, rightly as far as it can know.
 */
const ATTEMPTS = 6;
const DEADLINE_MS = 120_000;
/** Without control 34 packets wait: four first windows less what fits on the way. */
const QUEUE_PACKETS = 16;

/**
 * Which combinations run unless HPCC_EFFORT is greater than 1, since each takes a second of the machine for itself: one
 * in so many of each group, from another one on in the next. Those of one kind of switch are others than those of the other.
 */
const SAMPLE: Readonly<Record<LiveSwitch, { readonly every: number; readonly first: number }>> = {
  'hpcc switch': { every: 9, first: 1 },
  bmv2: { every: 9, first: 0 },
};
const isWhole = EFFORT > 1;

const chosen = (kind: LiveSwitch, group: LiveGroup): readonly Combination[] => {
  const { every, first } = SAMPLE[kind];
  const at = LIVE_GROUPS.indexOf(group);
  return group.combinations.filter((_, i) => isWhole || (i + at) % every === first);
};

/** Each value of each dimension that the combinations have. */
const valuesOf = (combinations: readonly Combination[]): ReadonlySet<string> =>
  new Set(
    combinations.flatMap((each) => Object.entries(each).map(([key, value]) => `${key} ${value}`)),
  );

const missing = (kind: LiveSwitch): string => {
  if (!canMakeNamespaces()) return 'needs root and the ip command to make network namespaces';
  return kind === 'bmv2' && !isOnPath(BMV2) ? `needs ${BMV2} on PATH` : '';
};

test('combinations on real switches are those of the table in the documentation', () => {
  const page = fs.readFileSync(path.join(repositoryRoot(), 'docs/testing.md'), 'utf8');
  expect(tableCells(page).join('\n')).toContain(tableCells(liveTable()).join('\n'));
  expect(LIVE_COMBINATIONS.length).toBeGreaterThanOrEqual(78);
});

test.each(SWITCHES)('on %s some of each program run, and of each value of each column', (kind) => {
  const some = LIVE_GROUPS.map((group) => chosen(kind, group));
  expect(Math.min(...some.map(({ length }) => length))).toBeGreaterThan(0);
  expect([...valuesOf(some.flat())].sort()).toEqual([...valuesOf(LIVE_COMBINATIONS)].sort());
});

describe.each(SWITCHES)('combinations live on %s', (kind) => {
  const reason = missing(kind);
  describeIf(reason === '', 'close the loop', reason, () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-combinations-'));
    let trios: Trio[];
    let device: SwitchProcess;
    let hosts: StartedGroup;
    let keys: LiveBed['keys'];

    beforeAll(async () => {
      trios = makeTrios(AT_ONCE);
      device = await startSwitchFor(kind, trios, RATE_BPS);
      const file = (name: string, content: object): string => {
        const at = path.join(folder, name);
        fs.writeFileSync(at, JSON.stringify(content), { mode: 0o600 });
        return at;
      };
      keys = {
        feedback: file('keys.json', { signing: 1, keys: { 1: '07'.repeat(32) } }),
        notifications: file('notifications.json', {
          [COORDINATION_KEY.id]: COORDINATION_KEY.bytes,
        }),
      };
      hosts = new StartedGroup(folder, REALTIME);
    }, DEADLINE_MS);

    afterAll(async () => {
      hosts.child.kill('SIGTERM');
      await hosts.ended;
      await device.stop();
      removeTrios(trios);
      fs.rmSync(folder, { recursive: true });
    }, DEADLINE_MS);

    /** Returns the combinations that missed a bar. */
    const misses = async (
      combinations: readonly Combination[],
      { frameBytes, atOnce }: { readonly frameBytes: number; readonly atOnce: number },
    ) => {
      const bed = { kind, hosts, keys, frameBytes };
      const missed: [Combination, LiveOutcome][] = [];
      for (let i = 0; i < combinations.length; i += atOnce) {
        const batch = combinations.slice(i, i + atOnce);
        const outcomes = await Promise.all(
          batch.map((each, j) => runCombination(bed, each, trios[j] as Trio)),
        );
        outcomes.forEach((outcome, j) => {
          if (!meetsBars(outcome)) missed.push([batch[j] as Combination, outcome]);
        });
      }
      return missed;
    };

    test.each(LIVE_GROUPS.map((group) => [group.name, group] as const))(
      'by %s',
      async (_, group: LiveGroup) => {
        const { program, frameBytes } = group;
        await loadFor(device, program, { kind, trios, rateBps: RATE_BPS, frameBytes });
        let missed = await misses(chosen(kind, group), { frameBytes, atOnce: AT_ONCE });
        for (let i = 1; i < ATTEMPTS && missed.length > 0; i++) {
          const again = missed.map(([each]) => each);
          missed = await misses(again, { frameBytes, atOnce: AGAIN_AT_ONCE });
        }
        expect(missed.map(([each, outcome]) => [nameOf(each), outcome])).toEqual([]);
      },
      DEADLINE_MS,
    );
  });
});

function meetsBars(outcome: LiveOutcome): boolean {
  const { utilisation, queueP90, lost, finished, intact, resent, refused, exitCodes } = outcome;
  const hasArrived =
    finished === FLOWS && intact === FLOWS && exitCodes.every((code) => code === 0);
  const isClean = lost === 0 && resent === 0 && Object.keys(refused).length === 0;
  return (
    hasArrived && isClean && utilisation >= LEAST_LIVE_UTILIZATION && queueP90 <= QUEUE_PACKETS
  );
}
