import { runScenario } from '../support/shared-runs';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { coordinationRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import type { Result } from '../../emulator/result/result';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import { scenarioInMode } from '../../emulator/scenario/variants';
import type { Parameters } from '../../emulator/scenario/parameters';

async function run(
  name: string,
  parameters: Partial<Parameters> = {},
  mode: CoordinationMode = 'coordinated',
): Promise<Result> {
  const scenario = scenarioInMode(loadScenario(name), mode);
  const { result } = await runScenario({
    scenario: { ...scenario, parameters: { ...scenario.parameters, ...parameters } },
    seed: 1,
  });
  expect(result.violations).toEqual([]);
  return result;
}

describe('flows whose data does not always carry telemetry', () => {
  const SPARSE: readonly (readonly [string, Partial<Parameters>])[] = [
    ['one data packet in four', { collectEvery: 4 }],
    ['probes', { feedback: 'probe' }],
  ];

  let full: CoordinationRow;
  beforeAll(async () => {
    full = coordinationRow(await run('ccm-both'));
  });

  test.each(SPARSE)('stay whole under coordination with %s', async (_, parameters) => {
    const sparse = coordinationRow(await run('ccm-both', parameters));
    const { reordered, retransmitted, unfinished, packets } = sparse;
    expect({ reordered, retransmitted, unfinished, packets }).toEqual({
      reordered: 0,
      retransmitted: 0,
      unfinished: 0,
      packets: full.packets,
    });
    expect(sparse.throughputGbps).toBeGreaterThanOrEqual(0.98 * full.throughputGbps);
  });

  test('stay whole under adaptive routing, which knows no tags', async () => {
    const row = coordinationRow(await run('ccm-both', { collectEvery: 4 }, 'adaptive'));
    expect([row.reordered, row.retransmitted, row.unfinished]).toEqual([0, 0, 0]);
  });
});

describe('congestion of all paths', () => {
  test('is controlled, though sources could re-route, as well as by the best of the others', async () => {
    const [ecmp, adaptive, coordinated] = [
      coordinationRow(await run('ccm-overload', {}, 'ecmp')),
      coordinationRow(await run('ccm-overload', {}, 'adaptive')),
      await run('ccm-overload'),
    ];
    const row = coordinationRow(coordinated);
    const best = Math.max(ecmp.throughputGbps, adaptive.throughputGbps);
    expect(row.throughputGbps).toBeGreaterThanOrEqual(0.98 * best);
    // Two ports each, and once more to learn that they are of no use.
    expect(row.reroutingRequired).toBeLessThanOrEqual(4 * 3);
    expect(coordinated.coordination?.sourceReroutes).toBeGreaterThan(0);
    expect(coordinated.coordination?.marked).toBe(4);
    expect(row.retransmitted).toBe(0);
  });
});
