import { distributionOf, jainIndex, percentileOf } from '../../../../emulator/record/statistics';

describe("Jain's index", () => {
  test.each([
    [[1, 1, 1, 1], 1],
    [[1, 0, 0, 0], 0.25],
    // (1+2)^2 / (2 (1+4)) = 9/10
    [[1, 2], 0.9],
    [[0, 0], 1],
  ])('of %j is %d', (shares, index) => {
    expect(jainIndex(shares)).toBeCloseTo(index, 12);
  });
});

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
