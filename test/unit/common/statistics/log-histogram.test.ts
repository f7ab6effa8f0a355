import fc from 'fast-check';
import { LogHistogram } from '../../../../common/statistics/log-histogram';
import { percentileOf } from '../../../../common/statistics/statistics';

const value = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

describe('quantiles in bounded memory', () => {
  test('lie within 1 % of those of all values', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          const histogram = new LogHistogram();
          for (const each of values) histogram.add(each);
          const exact = percentileOf(values, share);
          expect(histogram.percentile(share)).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
          expect(histogram.percentile(share)).toBeLessThanOrEqual(exact * 1.0101);
          expect([histogram.count, histogram.max]).toEqual([values.length, Math.max(...values)]);
        },
      ),
    );
  });

  test('are 0 without values', () => {
    const histogram = new LogHistogram();
    expect([histogram.percentile(0.5), histogram.max]).toEqual([0, 0]);
  });
});
