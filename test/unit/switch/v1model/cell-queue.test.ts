import fc from 'fast-check';
import { CellQueue } from '../../../../switch/v1model/output-port';
import { FifoQueue } from '../../../../switch/v1model/packet-queue';

describe('a queue in cells', () => {
  test('gives each packet whole ones of its own', () => {
    const queue = new CellQueue<string>({}, 80);
    for (const bytes of [1106, 1106, 80, 81]) queue.enqueue('', bytes);
    expect(queue.depth()).toBe(14 + 14 + 1 + 2);
    queue.dequeue();
    expect(queue.depth()).toBe(14 + 1 + 2);
  });

  test('counts nothing of what finds no room', () => {
    const queue = new CellQueue<string>({ packets: 1 }, 80);
    queue.enqueue('', 100);
    expect([queue.enqueue('', 100), queue.depth()]).toEqual([false, 2]);
  });

  test('is empty whenever nothing waits, and never less than its bytes fill', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 200 }), (list, cell) => {
        const queue = new CellQueue<number>({}, cell);
        const plain = new FifoQueue<number>();
        for (const bytes of list) {
          for (const each of [queue, plain])
            if (bytes % 3 === 0) each.dequeue();
            else each.enqueue(0, bytes);
          const least = Math.ceil(plain.bytes / cell);
          expect(queue.depth()).toBeGreaterThanOrEqual(least);
          expect(queue.depth()).toBeLessThanOrEqual(least + plain.packets);
        }
        while (queue.dequeue() !== undefined);
        expect([queue.packets, queue.bytes, queue.depth()]).toEqual([0, 0, 0]);
      }),
    );
  });
});
