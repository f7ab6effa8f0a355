import * as fc from 'fast-check';
import { TimerHeap } from '../../../../host-agent/nic/timer-heap';

describe('a heap of deadlines', () => {
  it('has none at first', () => {
    const heap = new TimerHeap();
    expect(heap.earliest).toBe(Infinity);
    expect(heap.first).toBeUndefined();
  });

  it('names the earliest, and of equal ones the smallest integer', () => {
    const heap = new TimerHeap();
    heap.set(7, 20);
    heap.set(3, 10);
    heap.set(2, 10);
    expect([heap.first, heap.earliest]).toEqual([2, 10]);
    heap.set(2, Infinity);
    expect([heap.first, heap.earliest]).toEqual([3, 10]);
  });

  it('behaves like a table that is searched, whatever is set, moved and removed', () => {
    const operation = fc.record({
      id: fc.integer({ min: 0, max: 200 }),
      at: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant(Infinity)),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 300 }), (operations) => {
        const heap = new TimerHeap();
        const table = new Map<number, number>();
        for (const { id, at } of operations) {
          heap.set(id, at);
          table.set(id, at);
          const [first] = [...table].sort(([a, x], [b, y]) => (x === y ? a - b : x - y));
          const earliest = first?.[1] ?? Infinity;
          expect(heap.earliest).toBe(earliest);
          if (earliest !== Infinity) expect(heap.first).toBe(first?.[0]);
        }
      }),
    );
  });
});
