import { algorithmRow, estimateOf } from '../../../../emulator/result/algorithm-comparison';
import type { Result } from '../../../../emulator/result/result';

const flow = (bytes: number, slowdown: number | null) => ({
  id: 1,
  source: 'h1',
  destination: 'h2',
  bytes,
  startUs: 0,
  slowdown,
  idealFctUs: 10,
  fctUs: slowdown === null ? null : 10 * slowdown,
  deliveredBytes: bytes,
  retransmittedSegments: 2,
});

function result(slowdowns: readonly (number | null)[], peak: number): Result {
  return {
    flows: slowdowns.map((slowdown) => flow(5000, slowdown)),
    fctUs: { min: 1, median: peak / 10, max: 9 },
    queueTimeline: { link: 'a', startUs: 0, intervalUs: 1, bytes: [0, 10, 20, peak] },
    bottleneck: { queuePeakBytes: peak, utilization: 0.5 },
    counters: { drops: { a: 1, b: 2 } },
    links: [{ lostPackets: 3 }, { lostPackets: 4 }],
    durationUs: 100,
    jain: 1,
    violations: ['one'],
  } as unknown as Result;
}

test("an interval is that of Student's t, and one run has none", () => {
  expect(estimateOf([7])).toEqual({ mean: 7, halfWidth: null });
  // s = 1, so 4.303 / sqrt(3).
  const { mean, halfWidth } = estimateOf([9, 10, 11]);
  expect(mean).toBe(10);
  expect(halfWidth).toBeCloseTo(2.484, 3);
  expect(estimateOf([5, 5]).halfWidth).toBe(0);
});

test('runs with several seeds make one row', () => {
  const row = algorithmRow('dcqcn', [result([1, 2, 3], 100), result([2, 3, 4], 300)]);
  expect(row).toMatchObject({ algorithm: 'dcqcn', seeds: 2, violations: 2 });
  expect(row.queuePeakBytes.mean).toBe(200);
  expect(row.slowdowns).toHaveLength(1);
  expect(row.slowdowns[0]).toMatchObject({ size: 'up to 10 KB', flows: 6, p50: { mean: 2.5 } });
  expect(row.retransmitted).toEqual({ mean: 6, halfWidth: 0 });
  expect([row.drops.mean, row.lostOnLinks.mean]).toEqual([3, 7]);
  expect(row.pauses.mean).toBe(0);
  // 15,000 bytes in 30 and in 40 us.
  expect(row.goodputGbps.mean).toBeCloseTo((4 + 3) / 2, 10);
});

test('what a run cannot tell is null, and flows without an end count as unfinished', () => {
  const row = algorithmRow('none', [{ ...result([null, 2], 1), jain: null, fctUs: null }]);
  expect(row.jain).toBeNull();
  expect(row.fctMedianUs).toBeNull();
  expect(row.unfinished.mean).toBe(1);
});
