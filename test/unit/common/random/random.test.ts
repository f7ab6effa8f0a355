import { Random } from '../../../../common/random/random';

const draw = (seed: number, count: number): number[] => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.uint32());
};

describe('the seeded generator', () => {
  test('gives the same sequence for the same seed', () => {
    expect(draw(7, 100)).toEqual(draw(7, 100));
  });

  test('gives different sequences for seeds that differ in any half', () => {
    expect(draw(1, 4)).not.toEqual(draw(2, 4));
    expect(draw(1, 4)).not.toEqual(draw(1 + 2 ** 40, 4));
  });

  test('keeps its first values, which results depend on', () => {
    expect(draw(1, 4)).toMatchInlineSnapshot(`
     [
       393288148,
       2174103013,
       3814759091,
       2092745082,
     ]
    `);
  });

  test('is uniform within three standard errors', () => {
    const random = new Random(42);
    const n = 100_000;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += random.uniform();
    // The standard error of the mean of n uniform numbers is sqrt(1 / (12 n)).
    expect(Math.abs(sum / n - 0.5)).toBeLessThan(3 * Math.sqrt(1 / (12 * n)));
  });

  test('draws integers below a limit and exponential numbers with the given mean', () => {
    const random = new Random(3);
    const drawn = new Set(Array.from({ length: 1000 }, () => random.below(6)));
    expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    let sum = 0;
    for (let i = 0; i < 100_000; i++) sum += random.exponential(5);
    expect(sum / 100_000).toBeCloseTo(5, 1);
  });

  test.each([-1, 0.5, 2 ** 53])('refuses the seed %d', (seed) => {
    expect(() => new Random(seed)).toThrow('seed must be an integer from 0 to 2^53-1');
  });
});
