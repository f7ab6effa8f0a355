import { TimeBuckets } from '../../../../../common/telemetry/plot/time-buckets';

describe('a series in bounded memory', () => {
  it('keeps the greatest value of each bucket, at its beginning', () => {
    const buckets = new TimeBuckets('greatest');
    for (const [ns, value] of [
      [0, 5],
      [999, 7],
      [500, 6],
      [5000, 1],
    ] as const) {
      buckets.add(ns, value);
    }
    expect([...buckets.points()]).toEqual([
      [0, 7],
      [5000, 1],
    ]);
  });

  it('joins neighbours when time goes on, so that peaks and sums survive', () => {
    const [peaks, sums] = [new TimeBuckets('greatest'), new TimeBuckets('sum')];
    for (let i = 0; i < 10_000; i++) {
      const value = i === 1234 ? 99 : 1;
      peaks.add(i * 1000, value);
      sums.add(i * 1000, value);
    }
    expect(peaks.widthNs).toBe(16_000);
    expect([...peaks.points()]).toHaveLength(625);
    expect([...peaks.points()].filter(([, value]) => value !== 1)).toEqual([[1_232_000, 99]]);
    expect([...sums.points()].reduce((all, [, value]) => all + value, 0)).toBe(9999 + 99);
  });

  it('takes a gap of any length', () => {
    const buckets = new TimeBuckets('sum');
    buckets.add(0, 3);
    buckets.add(86_400e9, 4);
    expect([...buckets.points()].map(([, value]) => value)).toEqual([3, 4]);
  });
});
