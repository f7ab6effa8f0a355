import * as fc from 'fast-check';
import { OccupiedBuckets } from '../../../../host-agent/nic/occupied-buckets';

const BUCKETS = 4096;

describe('occupied buckets in a circle', () => {
  it('has none at first', () => {
    expect(new OccupiedBuckets(BUCKETS).from(17)).toBe(-1);
  });

  it.each([
    [[5], 5, 5],
    [[5], 6, 5],
    [[31, 32], 32, 32],
    [[31], 32, 31],
    [[63, 1023, 4095], 64, 1023],
    [[1, 1055], 1024, 1055],
    [[0], 4095, 0],
  ])('finds the next of %j from %d on', (occupied, start, expected) => {
    const buckets = new OccupiedBuckets(BUCKETS);
    occupied.forEach((bucket) => buckets.add(bucket));
    expect(buckets.from(start)).toBe(expected);
  });

  it('behaves like a set that is searched around the circle', () => {
    const bucket = fc.integer({ min: 0, max: BUCKETS - 1 });
    const step = fc.record({ bucket, isAdded: fc.boolean(), start: bucket });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [buckets, set] = [new OccupiedBuckets(BUCKETS), new Set<number>()];
        for (const { bucket: one, isAdded, start } of steps) {
          if (isAdded) buckets.add(one);
          else buckets.remove(one);
          if (isAdded) set.add(one);
          else set.delete(one);
          const ahead = [...set].map((other) => (other - start + BUCKETS) % BUCKETS);
          const nearest = Math.min(...ahead);
          expect(buckets.from(start)).toBe(set.size === 0 ? -1 : (start + nearest) % BUCKETS);
        }
      }),
    );
  });
});
