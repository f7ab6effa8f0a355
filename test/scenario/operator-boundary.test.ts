import type { Result } from '../../emulator/result/result';
import { LOAD_RATIO_LENGTH } from '../../common/wire/hpcc/feedback-records';
import { resultOf, runVariants } from '../support/scenario-runs';

describe('flows towards an operator who hides links', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('operator-boundary');
  });

  test('break no invariant', () => {
    for (const { violations } of results.values()) expect(violations).toEqual([]);
  });

  test('learn nothing but a load and an interval', () => {
    const { feedback } = resultOf(results, 'hidden').traffic;
    expect(feedback.bytes).toBe(feedback.packets * LOAD_RATIO_LENGTH);
    const shown = resultOf(results, 'shown').traffic.feedback;
    expect(shown.bytes / shown.packets).toBeGreaterThan(9 * LOAD_RATIO_LENGTH);
  });

  test('are steered as well as with all links shown', () => {
    const [shown, hidden] = [resultOf(results, 'shown'), resultOf(results, 'hidden')];
    const within = (a: number, b: number, share: number): void =>
      expect(Math.abs(a / b - 1)).toBeLessThanOrEqual(share);
    within(hidden.bottleneck.queueP99Bytes, shown.bottleneck.queueP99Bytes, 0.02);
    within(hidden.bottleneck.utilization, shown.bottleneck.utilization, 0.01);
    within(hidden.jain ?? NaN, shown.jain ?? NaN, 0.02);
    within(hidden.fctUs?.max ?? NaN, shown.fctUs?.max ?? NaN, 0.05);
  });
});
