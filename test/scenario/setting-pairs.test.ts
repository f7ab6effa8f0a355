import type { ScenarioInput } from '../../emulator/scenario/schema';
import type { ScenarioSettingsInput, SettingName } from '../../host-agent/settings/settings';
import { EFFORT, SEED } from '../support/effort';
import { CASES, outcomeOf, SWITCHES } from '../support/setting-cases';
import type { Case } from '../support/setting-cases';

const NAMES = Object.keys(CASES) as SettingName[];
type Pair = readonly [SettingName, SettingName];

const PAIRS: readonly Pair[] = NAMES.flatMap((a, i) => NAMES.slice(i + 1).map((b): Pair => [a, b]));

const caseOf = (name: SettingName): Case => CASES[name] as Case;

/** Runs that pairs have in common, by what they ask. */
const RUNS = new Map<string, ReturnType<typeof outcomeOf>>();

function outcome(where: Partial<ScenarioInput>, asks: ScenarioSettingsInput) {
  const key = JSON.stringify([where, Object.entries(asks).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const known = RUNS.get(key) ?? outcomeOf(where, asks);
  RUNS.set(key, known);
  return known;
}

/** The settings of an accepted pair without which the result is the same. */
async function silentIn([a, b]: Pair): Promise<readonly SettingName[]> {
  const [first, second] = [caseOf(a), caseOf(b)];
  const beside = { ...first.beside, ...second.beside };
  const where = { ...first.where, ...second.where, ...SWITCHES[a], ...SWITCHES[b] };
  const both = await outcome(where, { ...beside, ...first.asks, ...second.asks });
  if ('refused' in both) return [];
  const silent: SettingName[] = [];
  for (const [name, other] of [
    [a, second],
    [b, first],
  ] as const) {
    // What the other one needs beside itself is no choice.
    if (Object.hasOwn(other.beside ?? {}, name)) continue;
    const left = { ...beside, ...other.asks };
    const alone = await outcome(where, left);
    if ('figures' in alone && alone.figures === both.figures) silent.push(name);
  }
  return silent;
}

/**
 * Pairs in which a setting has no effect beside the other although they go together, and why. Everything else that a
 * scenario takes acts, in every pair.
 */
const SILENT: readonly {
  readonly setting: readonly SettingName[];
  readonly beside: readonly SettingName[];
  readonly why: string;
}[] = [
  {
    setting: ['targetUtilization', 'maxStage', 'waiBytes', 'expectedFlows'],
    beside: ['algorithm', 'constants'],
    why: 'constants of HPCC++ stay in a document for its variants under HPCC++; commands refuse them',
  },
  {
    setting: ['maxStage', 'constants'],
    beside: ['hopLimit'],
    why: 'on a path with more links than the limit no telemetry raises a window, so no stage begins',
  },
  {
    setting: ['queueUnitBytes', 'queueRounding'],
    beside: ['queueMeasure'],
    why: 'units of the length that switches of the network tell, and these hosts ask for times',
  },
  {
    setting: ['rtoMs'],
    beside: ['baseRtt'],
    why: 'flows begin when T has been measured, and the link is back by then',
  },
];

const isSilent = (name: SettingName, other: SettingName): boolean =>
  SILENT.some(({ setting, beside }) => setting.includes(name) && beside.includes(other));

/** One pair in so many is tried: all of them need minutes. */
const ONE_IN = Math.max(1, Math.round((EFFORT > 1 ? 24 : 36) / EFFORT));
const TRIED = PAIRS.filter((_, i) => i % ONE_IN === SEED % ONE_IN);

test('in every pair that a scenario takes, both settings act', async () => {
  const found: string[] = [];
  for (const pair of TRIED) {
    for (const name of await silentIn(pair)) found.push(`${name} in ${pair.join(' and ')}`);
  }
  const known = TRIED.flatMap((pair) =>
    pair
      .filter((name) => isSilent(name, pair[0] === name ? pair[1] : pair[0]))
      .map((name) => `${name} in ${pair.join(' and ')}`),
  );
  expect(found.sort()).toEqual(known.sort());
}, 600_000);
