import { distributionOf, percentileOf } from '../../../../common/statistics/statistics';

describe('a distribution', () => {
  test.each([
    [[3, 1, 2], { min: 1, median: 2, max: 3 }],
    [[4, 1, 2, 3], { min: 1, median: 2.5, max: 4 }],
    [[7], { min: 7, median: 7, max: 7 }],
    [[], null],
  ])('of %j is %j', (values, expected) => {
    expect(distributionOf(values)).toEqual(expected);
  });
});

describe('a percentile', () => {
  test.each([
    [[3, 1, 2], 0.5, 2],
    [[3, 1, 2], 0.99, 3],
    [[3, 1, 2], 0, 1],
    [Array.from({ length: 100 }, (_, i) => i + 1), 0.99, 99],
    [[], 0.5, 0],
  ])('of %j at %d is %d', (values, share, expected) => {
    expect(percentileOf(values, share)).toBe(expected);
  });
});
