import { comparisonRow } from '../../emulator/result/comparison';
import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import { resultOf, runVariants } from '../support/scenario-runs';

const VARIANTS = ['each', 'by-time', 'by-time-and-queue'] as const;

describe('an incast behind switches that choose which packets get telemetry', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('sparse-telemetry');
  });
  const of = (variant: string): Result => resultOf(results, variant);
  const row = (variant: string) => comparisonRow(variant, of(variant));

  test.each(VARIANTS)('breaks no invariant, and every flow ends (%s)', (variant) => {
    const { violations, counters } = of(variant);
    expect(violations).toEqual([]);
    expect(row(variant).unfinished).toBe(0);
    expect([counters.hostRejections, counters.telemetryRejections]).toEqual([{}, {}]);
  });

  test('brings a tenth of the records by time, and a third by time and queue', () => {
    const [each, byTime, both] = VARIANTS.map((variant) => of(variant).counters.telemetryRecords);
    expect(each).toBe(2 * 5200);
    expect(byTime).toBeLessThan(0.12 * (each ?? NaN));
    expect(both).toBeLessThan(0.33 * (each ?? NaN));
    expect(row('by-time-and-queue').feedbackBytes).toBeLessThan(0.33 * row('each').feedbackBytes);
  });

  test('is controlled as by telemetry in each packet where long queues tell at once', () => {
    const [each, both] = [row('each'), row('by-time-and-queue')];
    expect(both.queuePeakBytes).toBeLessThan(1.02 * each.queuePeakBytes);
    expect(both.queueP99Bytes).toBeLessThan(1.02 * each.queueP99Bytes);
    expect(both.fctUs?.max).toBeLessThan(each.fctUs?.max ?? NaN);
    expect(both.utilization).toBeGreaterThan(each.utilization);
  });

  test('has a longer queue by time alone', () => {
    expect(row('by-time').queuePeakBytes).toBeGreaterThan(
      1.03 * row('by-time-and-queue').queuePeakBytes,
    );
  });

  test('follows what the first switch begins to the end of the path', () => {
    const { programs } = of('by-time').counters;
    const begun = programs?.['s1: egress.insertion.outcomes[1]'];
    expect(begun).toBeGreaterThan(100);
    expect(programs?.['s2: egress.insertion.outcomes[3]']).toBe(begun);
  });
});

test.each([
  ['an algorithm at the receiver', { feedback: 'receiver' }],
  ['hidden links', { links: 'hidden' }],
  ['delayed acknowledgements', { ackEvery: 4 }],
  ['notifications', { feedback: 'notification' }],
] as const)('chosen packets serve %s too', async (_name, parameters) => {
  const scenario = withParameters(loadScenario('sparse-telemetry'), parameters);
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  expect(comparisonRow('', result)).toMatchObject({ unfinished: 0, refused: 0 });
  expect(comparisonRow('', result).utilization).toBeGreaterThan(0.75);
});

test('probes are refused where switches choose among data', async () => {
  const scenario = withParameters(loadScenario('sparse-telemetry'), { feedback: 'probe' });
  await expect(runScenario({ scenario, seed: 1 })).rejects.toThrow('switchesChoose is about data');
});
