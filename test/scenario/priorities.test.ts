import type { Result } from '../../emulator/result/result';
import { jainIndex } from '../../common/statistics/statistics';
import { goodput, queuePeak, resultOf, runVariants, seriesOf } from '../support/scenario-runs';

describe('flows below a class that takes half of the link', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('priorities');
  });
  /** The higher class has been there for a while, and is still there. */
  const DURING: [number, number] = [300, 500];
  /** Payload in a frame with the telemetry of one switch, 40 bytes. */
  const PAYLOAD = 1000 / 1114;

  test.each(['sojourn', 'length', 'one-queue'])('break no invariant, %s', (variant) => {
    expect(resultOf(results, variant).violations).toEqual([]);
    expect(resultOf(results, variant).flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
  });

  test('find what it leaves of the target utilisation, and share it', () => {
    const result = resultOf(results, 'sojourn');
    expect(goodput(result, 3, DURING)).toBeGreaterThan(0.99 * 50 * PAYLOAD);
    const shares = [1, 2].map((flow) => goodput(result, flow, DURING));
    const rest = (95 - 50) * PAYLOAD;
    const found = shares.reduce((sum, share) => sum + share, 0);
    expect(found).toBeGreaterThan(0.95 * rest);
    expect(found).toBeLessThan(1.05 * rest);
    expect(jainIndex(shares)).toBeGreaterThan(0.98);
  });

  test('keep their own queue near empty', () => {
    expect(queuePeak(resultOf(results, 'sojourn'), DURING)).toBeLessThanOrEqual(3 * 1114);
  });

  test('take the link back when the class has gone', () => {
    const result = resultOf(results, 'sojourn');
    const after: [number, number] = [620, 820];
    expect(goodput(result, 1, after) + goodput(result, 2, after)).toBeGreaterThan(
      0.9 * 95 * PAYLOAD,
    );
  });
});

describe('a flow of a higher class, during an incast of a lower one', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('priorities-burst');
  });
  const rateAt = (variant: string, us: number): number => {
    const { timeUs, rateGbps } = seriesOf(resultOf(results, variant), 1);
    return rateGbps[timeUs.findLastIndex((t) => t <= us)] ?? NaN;
  };

  test('breaks no invariant', () => {
    for (const { violations } of results.values()) expect(violations).toEqual([]);
  });

  test('does not take the queue of the other class for its own', () => {
    // Ten base RTTs after the burst, 450 KB wait in the port.
    expect(queuePeak(resultOf(results, 'classes'), [50, 60])).toBeGreaterThan(400_000);
    expect(rateAt('classes', 90)).toBeGreaterThan(50);
    expect(rateAt('one-queue', 90)).toBeLessThan(15);
  });

  test('ends sooner than with one queue for all', () => {
    const [classes, one] = ['classes', 'one-queue'].map(
      (variant) => resultOf(results, variant).flows[0]?.fctUs ?? NaN,
    );
    expect(classes).toBeLessThan(0.85 * (one ?? NaN));
  });
});
