import { bestOf, verdictOfBest } from '../../../../emulator/figures/best-of';
import type { Contender } from '../../../../emulator/figures/best-of';

const at = (name: string, mean: number, halfWidth: number | null = null): Contender => ({
  name,
  estimate: { mean, halfWidth },
});

describe('who is best by a figure', () => {
  it('is lowest or highest, as its direction says', () => {
    const contenders = [at('a', 20), at('b', 10), at('c', 30)];
    expect(bestOf('fctUs.median', contenders)).toEqual({
      what: 'lowest median FCT',
      value: '10.00 us',
      who: 'b',
    });
    expect(bestOf('jain', [at('a', 0.5), at('b', 1)])?.who).toBe('b');
    expect(bestOf('compare.drops', [at('a', 5), at('b', 0)])?.what).toBe('fewest drops');
  });

  it('is whose intervals reach that of the best', () => {
    const contenders = [at('a', 10, 2), at('b', 13, 2), at('c', 30, 1)];
    expect(bestOf('fctUs.median', contenders)?.who).toBe('a and b');
    expect(bestOf('fctUs.median', contenders.slice(0, 2))?.who).toBe('all alike');
    expect(bestOf('fctUs.median', contenders, 1)?.who).toBe('a and 1 more');
  });

  it('is nobody without a direction, and among fewer than two', () => {
    expect(bestOf('counters.packetHops', [at('a', 1), at('b', 2)])).toBeUndefined();
    expect(bestOf('jain', [at('a', 1), { name: 'b', estimate: null }])).toBeUndefined();
  });

  it('is told in one sentence', () => {
    const best = [{ what: 'lowest median FCT', value: '10.00 us', who: 'b' }];
    expect(verdictOfBest(best)).toBe('Lowest median FCT: b (10.00 us).');
    expect(verdictOfBest([])).toBeUndefined();
  });
});
