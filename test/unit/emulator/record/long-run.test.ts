import { runScenario } from '../../../../emulator/io/run-scenario';
import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { runPage } from '../../../../emulator/view/data/run-page';

const whole = loadScenario('single-flow');
const flows = whole.flows?.map((flow) => ({ ...flow, bytes: 20_000_000 })) ?? [];

const run = async (queueIntervalNs: number, flowIntervalNs: number) => {
  const record = { ...whole.record, queueIntervalNs, flowIntervalNs };
  const scenario = { ...whole, flows, record };
  return (await runScenario({ scenario, seed: 1, checkInvariants: false })).result;
};

test('a run with more samples than are kept has those of a run that is sampled more rarely', async () => {
  // Almost two million samples of queues and 44,000 of flows.
  const fine = await run(1, 40);
  const coarse = await run(100, 80);
  expect(fine.series).toEqual(coarse.series);
  expect(fine.series[0]?.timeUs.length).toBeLessThanOrEqual(2 ** 15);
  expect(fine.queueTimeline.intervalUs).toBe(0.002);
  expect(fine.queueTimeline.bytes.length).toBeLessThanOrEqual(2 ** 20);
  const longest = fine.queueTimeline.bytes.reduce((most, bytes) => Math.max(most, bytes), 0);
  expect(longest).toBe(fine.bottleneck.queuePeakBytes);
  expect(fine.durationUs).toBe(coarse.durationUs);
  const [one, other] = [fine, coarse].map((result) => JSON.stringify(runPage(result)).length);
  expect(one).toBeLessThan(1.2 * (other ?? 0));
});

test('many flows share the room for samples', async () => {
  const [flow] = whole.flows ?? [];
  if (flow === undefined) throw new Error('single-flow has a flow');
  const many = Array.from({ length: 128 }, () => ({ ...flow, bytes: 10_000 }));
  const record = { ...whole.record, flowIntervalNs: 5, sampledFlows: 128 };
  const scenario = { ...whole, flows: many, record };
  const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
  expect(result.durationUs / 0.005).toBeGreaterThan(2 ** 14);
  expect(result.series).toHaveLength(128);
  for (const { timeUs, deliveredBytes } of result.series) {
    expect(timeUs.length).toBeLessThanOrEqual(2 ** 14);
    expect(timeUs.length).toBeGreaterThan(2 ** 12);
    expect(deliveredBytes.at(-1)).toBe(10_000);
  }
});
