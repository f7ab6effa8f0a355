import { comparisonRow, switchResponses } from '../../emulator/result/comparison';
import type { Result } from '../../emulator/result/result';
import { reactionUs, resultOf, runVariants } from '../support/scenario-runs';

function soundRuns(
  name: string,
  variants = ['without', 'with'],
): { of: (variant: string) => Result } {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants(name);
  });

  test.each(variants)('breaks no invariant %s answers, and every flow ends', (each) => {
    const { violations, flows, counters } = resultOf(results, each);
    expect(violations).toEqual([]);
    expect(flows.filter(({ fctUs }) => fctUs === null)).toEqual([]);
    expect(counters.hostRejections).toEqual({});
    expect(counters.drops).toEqual({});
  });

  test('counts the answers, which only subscribers get', () => {
    expect(switchResponses(resultOf(results, 'without'))).toBe(0);
    expect(switchResponses(resultOf(results, 'with'))).toBeGreaterThan(10);
  });
  return { of: (variant) => resultOf(results, variant) };
}

describe('an incast onto running flows', () => {
  const { of } = soundRuns('fast-feedback', ['without', 'with', 'signed']);

  test('ends sooner with few answers of the switch, and has no longer queue', () => {
    const [without, used] = ['without', 'with'].map((each) => comparisonRow(each, of(each)));
    expect(used?.queuePeakBytes).toBeLessThanOrEqual(without?.queuePeakBytes ?? NaN);
    expect(used?.queueP99Bytes).toBeLessThanOrEqual(without?.queueP99Bytes ?? NaN);
    // As soon, up to a tenth of what a packet of each flow takes.
    expect(used?.drainedAtUs).toBeLessThan(1.005 * (without?.drainedAtUs ?? NaN));
    expect(used?.fctUs?.median).toBeLessThan(without?.fctUs?.median ?? NaN);
    // One per flow and interval were 531.
    expect(used?.switchResponses).toBeLessThan(531 / 4);
  });

  test('does so with keys too, where the switch signs its answers', () => {
    const [without, used, signed] = ['without', 'with', 'signed'].map((each) =>
      comparisonRow(each, of(each)),
    );
    expect(signed?.switchResponses).toBeGreaterThan(0.8 * (used?.switchResponses ?? NaN));
    expect(signed?.fctUs?.median).toBeLessThan(without?.fctUs?.median ?? NaN);
    expect(signed?.queuePeakBytes).toBeLessThan(without?.queuePeakBytes ?? NaN);
    expect(signed?.drainedAtUs).toBeLessThan(1.005 * (without?.drainedAtUs ?? NaN));
  });
});

describe('a flow whose receiver is far behind the congested switch', () => {
  const { of } = soundRuns('fast-feedback-far');
  const JOIN_US = 300;
  /** There and back again from the switch to the receiver: 10.5 us each way. */
  const SECOND_HALF_US = 21;

  test('reacts sooner by about the second half of the path', () => {
    const sooner = reactionUs(of('without'), 1, JOIN_US) - reactionUs(of('with'), 1, JOIN_US);
    expect(sooner).toBeGreaterThan(0.8 * SECOND_HALF_US);
    expect(sooner).toBeLessThan(1.2 * SECOND_HALF_US);
  });

  test('leaves two thirds of the queue, and flows that end no later', () => {
    const [without, used] = [of('without').bottleneck, of('with').bottleneck];
    expect(used.queuePeakBytes).toBeLessThan(0.67 * without.queuePeakBytes);
    expect(used.queueP99Bytes).toBeLessThan(0.67 * without.queueP99Bytes);
    const [late, sooner] = [of('without'), of('with')].map((each) => comparisonRow('', each));
    expect(sooner?.fctUs?.median).toBeLessThan(late?.fctUs?.median ?? NaN);
    expect(sooner?.switchResponses).toBeLessThan(42);
    expect(used.utilization).toBeGreaterThan(without.utilization);
  });
});
