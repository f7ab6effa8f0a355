import { Random } from '../../../../common/random/random';
import { SizeDistribution, parseSizePoints } from '../../../../emulator/workload/size-distribution';
import type { SizePoint } from '../../../../emulator/workload/size-distribution';

describe('a distribution of flow sizes', () => {
  const points: SizePoint[] = [
    [0, 0],
    [100, 50],
    [1100, 100],
  ];
  const sizes = new SizeDistribution(points, 'test');

  it('has the mean of the sizes that are linear between its points', () => {
    // Half of the flows between 0 and 100, half between 100 and 1,100 bytes.
    expect(sizes.mean).toBe(0.5 * 50 + 0.5 * 600);
  });

  it('draws sizes with that mean and those shares, none below a byte', () => {
    const random = new Random(1);
    const drawn = Array.from({ length: 20_000 }, () => sizes.draw(random));
    const mean = drawn.reduce((sum, size) => sum + size, 0) / drawn.length;
    expect(Math.abs(mean / sizes.mean - 1)).toBeLessThan(0.02);
    const upTo = (limit: number): number =>
      drawn.filter((size) => size <= limit).length / drawn.length;
    expect(upTo(100)).toBeCloseTo(0.5, 1);
    expect(upTo(600)).toBeCloseTo(0.75, 1);
    expect(Math.min(...drawn)).toBe(1);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(1100);
  });

  it('gives the only size where its first point has all flows', () => {
    const one = new SizeDistribution([[7000, 100]], 'test');
    expect(one.draw(new Random(3))).toBe(7000);
    expect(one.mean).toBe(7000);
  });

  it.each([
    ['no points', [], 'a distribution of sizes needs points'],
    ['an end below 100 %', [[5, 90]], 'the last point must be at 100 %, found 90 %'],
    [
      'percents that fall',
      [
        [5, 60],
        [6, 50],
        [7, 100],
      ],
      'point 2 (6 bytes, 50 %): bytes and percent must not fall from point to point',
    ],
    [
      'sizes that fall',
      [
        [5, 60],
        [4, 100],
      ],
      'point 2 (4 bytes, 100 %): bytes and percent must not fall from point to point',
    ],
    ['nothing but empty flows', [[0, 100]], 'the largest size must be at least 1 byte'],
  ] as const)('refuses %s', (_, bad, message) => {
    expect(() => new SizeDistribution(bad, 'mine')).toThrow(`mine: ${message}`);
  });
});

describe('a file of sizes', () => {
  it('has lines of bytes and percent, comments and empty lines', () => {
    expect(parseSizePoints('# sizes\n0 0\n\n10\t50 # half\r\n20 100\n', 'f')).toEqual([
      [0, 0],
      [10, 50],
      [20, 100],
    ]);
  });

  it.each(['10', '10 20 30', 'ten 20'])('is refused with the line of %p', (line) => {
    expect(() => parseSizePoints(`0 0\n${line}\n`, 'mine.txt')).toThrow(
      `mine.txt:2: expected 'bytes percent', found '${line}'`,
    );
  });
});
