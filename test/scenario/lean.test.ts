import { runScenario } from '../support/shared-runs';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';

/** Rates and queues that hpccpp-lean has to keep where HPCC does not; whole figures are of studies. */
async function runLean(name: string): Promise<Result> {
  const scenario = loadScenario(name);
  const parameters = { ...scenario.parameters, algorithm: 'hpccpp-lean' };
  return (await runScenario({ scenario: { ...scenario, parameters }, seed: 1 })).result;
}

test('an incast ends sooner than under HPCC, and its queue with it', async () => {
  const { fctUs, bottleneck, counters, violations } = await runLean('incast16');
  expect(fctUs?.max).toBeLessThanOrEqual(745);
  expect(bottleneck.drainedAtUs).toBeLessThanOrEqual(105);
  expect(counters.drops).toEqual({});
  expect(violations).toEqual([]);
});

test('flows that join have their shares within half a millisecond, and keep them', async () => {
  const { jainTimeline, violations } = await runLean('staggered-joins');
  for (const joinUs of [600, 1200, 1800]) {
    const settled = jainTimeline.filter(
      ({ startUs }) => startUs >= joinUs + 500 && startUs < joinUs + 600,
    );
    expect(settled.length).toBeGreaterThan(0);
    expect(Math.min(...settled.map(({ jain }) => jain))).toBeGreaterThanOrEqual(0.99);
  }
  expect(violations).toEqual([]);
});

test('one flow has the link, and few of its packets have telemetry', async () => {
  const { bottleneck, traffic, violations } = await runLean('single-flow');
  expect(bottleneck.utilization).toBeGreaterThanOrEqual(0.95);
  // 1058 without INT, 1074 with it, as frames leave the host.
  const { bytes, packets } = traffic.data;
  expect(bytes / packets).toBeLessThan(1070);
  expect(violations).toEqual([]);
});
