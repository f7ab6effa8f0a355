import { estimateOf } from '../../../../emulator/study/confidence';

describe('mean and confidence interval', () => {
  test('of the numbers 1 to 5 is 3 with 1.96 on either side', () => {
    // Deviation sqrt(2.5), t for 4 degrees of freedom 2.776: 2.776 * 1.5811 / sqrt(5) = 1.963.
    const { mean, halfWidth, count } = estimateOf([1, 2, 3, 4, 5]);
    expect(mean).toBe(3);
    expect(halfWidth).toBeCloseTo(1.963, 3);
    expect(count).toBe(5);
  });

  test('of one value has no interval', () => {
    expect(estimateOf([7])).toEqual({ mean: 7, halfWidth: null, count: 1 });
  });

  test('of equal values is exactly they, without any width', () => {
    expect(estimateOf([0.1, 0.1, 0.1])).toEqual({ mean: 0.1, halfWidth: 0, count: 3 });
  });

  test.each([
    [31, 2.0395],
    [61, 2.0003],
    [121, 1.9799],
  ])('of %i values uses t = %f, of which the table has no line or the last', (count, t) => {
    const values = Array.from({ length: count }, (_, i) => i);
    const { halfWidth } = estimateOf(values);
    const deviation = Math.sqrt((count * (count + 1)) / 12);
    // The expansion is within 0.2 % of the distribution.
    expect(((halfWidth ?? 0) * Math.sqrt(count)) / deviation / t).toBeCloseTo(1, 2);
  });
});
