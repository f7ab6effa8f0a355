import {
  loadScenario,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import { runScenario } from '../support/shared-runs';
import { comparisonRow } from '../../emulator/result/comparison';
import type { ComparisonRow } from '../../emulator/result/comparison';
import { EFFORT } from '../support/effort';
import type { ScenarioDocument } from '../../emulator/scenario/schema';

/** Flows of the scenario `join`, cut to what lasts a millisecond. */
const shortJoin = (scenario: ScenarioDocument): ScenarioDocument => ({
  ...scenario,
  flows: scenario.flows.map((flow, i) => ({ ...flow, bytes: i === 0 ? 9_000_000 : 3_000_000 })),
});

const SCENARIOS = {
  incast16: loadScenario('incast16'),
  join: shortJoin(loadScenario('join')),
};
type Name = keyof typeof SCENARIOS;

const rows = new Map<string, Promise<ComparisonRow>>();

function rowOf(name: Name, variant: string): Promise<ComparisonRow> {
  const key = `${name} ${variant}`;
  const known = rows.get(key);
  if (known !== undefined) return known;
  const scenario = scenarioVariant(SCENARIOS[name], variant);
  const fresh = runScenario({ scenario, seed: 1 }).then(({ result }) => {
    expect(result.violations).toEqual([]);
    return comparisonRow(variant, result);
  });
  rows.set(key, fresh);
  return fresh;
}

/** Bytes of a full frame behind one switch. */
const FRAME = { int: 1106, ioam: 1254, ifa: 1098, padding: 1068 } as const;

/** By how much at most a figure may be off, where flows are synchronised or not. */
const TOLERANCE = 0.05;

const within = (found: number | null | undefined, expected: number): void => {
  expect(Math.abs((found ?? NaN) / expected - 1)).toBeLessThan(TOLERANCE);
};

/** Flows that begin one after the other take as long again. */
const NAMES: readonly Name[] = EFFORT > 1 ? ['incast16', 'join'] : ['incast16'];

describe.each(NAMES)('%s', (name) => {
  test.each(['ioam', 'ifa', 'padding'] as const)(
    'by %s is as by INT, frame for frame',
    async (carrier) => {
      const [row, int] = [await rowOf(name, carrier), await rowOf(name, 'int')];
      const scale = FRAME[carrier] / FRAME.int;
      expect([row.unfinished, row.refused]).toEqual([0, 0]);
      within(row.queuePeakBytes, int.queuePeakBytes * scale);
      // With T as it is, longer frames are more than slower ones: INT in frames of IOAM shows the same.
      const long =
        carrier === 'ioam' ? (await rowOf(name, 'int-as-ioam')).fctUs?.median : undefined;
      within(row.fctUs?.median, long ?? (int.fctUs?.median ?? NaN) * scale);
      within(row.fctUs?.max, (int.fctUs?.max ?? NaN) * scale);
    },
  );

  test.each([
    ['ioam', 'int-as-ioam'],
    ['ifa-as-int', 'int'],
    ['padding-as-int', 'int'],
  ])('by %s is as by %s, whose frames are as long', async (carrier, equal) => {
    const [row, int] = [await rowOf(name, carrier), await rowOf(name, equal)];
    within(row.queuePeakBytes, int.queuePeakBytes);
    within(row.drainedAtUs, int.drainedAtUs ?? NaN);
    within(row.fctUs?.median, int.fctUs?.median ?? NaN);
    within(row.fctUs?.max, int.fctUs?.max ?? NaN);
  });

  test('by CSIG is controlled by one signal at a time', async () => {
    const [row, int] = [await rowOf(name, 'csig'), await rowOf(name, 'int')];
    expect(row.unfinished).toBe(0);
    expect(row.drainedAtUs).toBeLessThan(int.drainedAtUs ?? 0);
    expect(row.queueP99Bytes).toBeLessThan(1.1 * int.queueP99Bytes);
    expect(row.utilization).toBeGreaterThan(0.85);
    expect(row.jain).toBeGreaterThan(0.98);
  });
});

test('CSIG controls an incast where acknowledgements bring both signals of what they are for', async () => {
  const scenario = withParameters(SCENARIOS.incast16, { carrier: 'csig', ackEvery: 2 });
  const { result } = await runScenario({ scenario, seed: 1 });
  const row = comparisonRow('csig, one acknowledgement for two', result);
  expect([row.unfinished, row.refused, result.violations.length]).toEqual([0, 0, 0]);
  expect(row.utilization).toBeGreaterThan(0.78);
  expect(row.drainedAtUs).toBeLessThan(80);
});

describe('a scenario and its switches', () => {
  const base = SCENARIOS.join;

  test('speak what the program of the switches writes', async () => {
    const { result } = await runScenario({
      scenario: { ...base, profile: 'ioam', untilUs: 20 },
      seed: 1,
    });
    expect(result.parameters['carrier']).toBe('ioam');
  });

  test('are refused where they speak different carriers', async () => {
    const parameters = { ...base.parameters, carrier: 'ifa' } as const;
    const scenario: ScenarioDocument = { ...base, profile: 'ioam', parameters };
    await expect(runScenario({ scenario, seed: 1 })).rejects.toThrow(
      'switches run ioam, which writes ioam (parameters.carrier: ifa)',
    );
  });
});
