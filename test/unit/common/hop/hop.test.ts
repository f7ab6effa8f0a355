import { wrappedDifference } from '../../../../common/hop/hop';

describe('the difference of wrapping counters', () => {
  test.each([
    [5, 3, 16, 2],
    [3, 5, 16, 14],
    [0, 15, 16, 1],
    [7, 7, 16, 0],
    [100, 2 ** 48 - 100, 2 ** 48, 200],
  ])('%d - %d modulo %d is %d', (later, earlier, modulus, difference) => {
    expect(wrappedDifference(later, earlier, modulus)).toBe(difference);
  });
});
