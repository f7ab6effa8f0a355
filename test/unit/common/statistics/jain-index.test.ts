import { jainIndex } from '../../../../common/statistics/statistics';

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
