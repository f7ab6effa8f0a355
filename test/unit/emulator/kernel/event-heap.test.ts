import * as fc from 'fast-check';
import { EventHeap } from '../../../../emulator/kernel/event-heap';

const NUMBERS = 40;

/** Takes all numbers out, with their times. */
function drain(heap: EventHeap): [time: number, number: number][] {
  const taken: [number, number][] = [];
  while (heap.isDue(Infinity)) {
    taken.push([heap.firstTime, heap.first]);
    heap.takeFirst();
  }
  return taken;
}

/** A heap with so many numbers. */
function heapOf(numbers: number): EventHeap {
  const heap = new EventHeap();
  for (let i = 0; i < numbers; i++) expect(heap.add()).toBe(i);
  return heap;
}

describe('a heap of events', () => {
  it('orders numbers by their latest times, and equal times by the numbers', () => {
    // Times are few, so that many are equal; 0 takes the time away.
    const change = fc.tuple(fc.nat(NUMBERS - 1), fc.nat(12));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const heap = heapOf(NUMBERS);
        const times = new Map<number, number>();
        for (const [number, time] of changes) {
          if (time === 0) {
            heap.remove(number);
            times.delete(number);
          } else {
            heap.set(number, time);
            times.set(number, time);
          }
          expect(heap.timeOf(number)).toBe(times.get(number) ?? Infinity);
          const isSeven = heap.isAt(number, Float64Array.of(7));
          expect(isSeven).toBe(times.get(number) === 7);
          expect(heap.firstTime).toBe(Math.min(Infinity, ...times.values()));
        }
        const expected = Array.from(times, ([number, time]): [number, number] => [time, number]);
        expect(drain(heap)).toEqual(expected.sort(([s, i], [t, j]) => s - t || i - j));
      }),
      { numRuns: 300 },
    );
  });

  it('goes on in order where what comes first is taken, and others get times before anybody looks', () => {
    const times = fc.array(fc.tuple(fc.nat(NUMBERS - 1), fc.integer({ min: 1, max: 12 })), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(times, { maxLength: 60 }), (steps) => {
        const heap = heapOf(NUMBERS);
        const left = new Map<number, number>();
        for (const step of steps) {
          if (left.size > 0) {
            const [first] = [...left].sort(([i, s], [j, t]) => s - t || i - j);
            expect(heap.first).toBe(first?.[0]);
            left.delete(heap.first);
            heap.takeFirst();
          }
          for (const [number, time] of step) {
            heap.set(number, time);
            left.set(number, time);
          }
        }
        const expected = Array.from(left, ([number, time]): [number, number] => [time, number]);
        expect(drain(heap)).toEqual(expected.sort(([s, i], [t, j]) => s - t || i - j));
      }),
      { numRuns: 300 },
    );
  });

  it('is due from the instant of the first number on', () => {
    const heap = heapOf(2);
    expect(heap.isDue(Infinity)).toBe(false);
    heap.set(1, 7);
    expect([6, 7, 8].map((until) => heap.isDue(until))).toEqual([false, true, true]);
  });
});
