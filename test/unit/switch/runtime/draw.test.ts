import fc from 'fast-check';

import { Random } from '../../../../common/random/random';
import { drawBetween } from '../../../../switch/runtime/bits';

test('a draw lies between both bounds, of any width up to 64 bits', () => {
  const bound = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(bound, bound, fc.nat(), (a, b, seed) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      const draw = drawBetween(low, high, new Random(seed));
      expect(draw >= low && draw <= high).toBe(true);
    }),
  );
});

test('draws reach both bounds and depend on the seed alone', () => {
  const draws = (seed: number): bigint[] => {
    const random = new Random(seed);
    return Array.from({ length: 100 }, () => drawBetween(3n, 5n, random));
  };
  expect(new Set(draws(1))).toEqual(new Set([3n, 4n, 5n]));
  expect(draws(1)).toEqual(draws(1));
});

test('without a generator the lowest value comes', () => {
  expect(drawBetween(3n, 5n, undefined)).toBe(3n);
});
