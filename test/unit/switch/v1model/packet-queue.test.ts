import fc from 'fast-check';

import { FifoQueue } from '../../../../switch/v1model/packet-queue';

describe('a queue', () => {
  test('gives back in order what it took', () => {
    const queue = new FifoQueue<string>();
    expect(queue.enqueue('a', 100)).toBe(true);
    expect(queue.enqueue('b', 50)).toBe(true);
    expect([queue.packets, queue.bytes]).toEqual([2, 150]);
    expect(queue.dequeue()).toBe('a');
    expect([queue.packets, queue.bytes]).toEqual([1, 50]);
    expect(queue.dequeue()).toBe('b');
    expect(queue.dequeue()).toBeUndefined();
    expect([queue.packets, queue.bytes]).toEqual([0, 0]);
  });

  test('drops at the tail when its packets are used up', () => {
    const queue = new FifoQueue<string>({ packets: 1 });
    expect(queue.enqueue('a', 100)).toBe(true);
    expect(queue.enqueue('b', 1)).toBe(false);
    expect(queue.bytes).toBe(100);
    queue.dequeue();
    expect(queue.enqueue('c', 1)).toBe(true);
  });

  test('drops at the tail what does not fit into its bytes, to the byte', () => {
    const queue = new FifoQueue<string>({ bytes: 100 });
    expect(queue.enqueue('a', 60)).toBe(true);
    expect(queue.enqueue('b', 41)).toBe(false);
    expect(queue.enqueue('c', 40)).toBe(true);
    expect(queue.enqueue('d', 1)).toBe(false);
  });

  test('behaves like a list, through any growth and wrap', () => {
    // Positive numbers enqueue so many bytes, zero dequeues.
    const operations = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 300 });
    fc.assert(
      fc.property(operations, fc.integer({ min: 1, max: 60 }), (list, packets) => {
        const queue = new FifoQueue<number>({ packets });
        const model: [item: number, bytes: number][] = [];
        list.forEach((bytes, i) => {
          if (bytes === 0) {
            expect(queue.dequeue()).toBe(model.shift()?.[0]);
          } else if (queue.enqueue(i, bytes)) {
            model.push([i, bytes]);
          } else {
            expect(model).toHaveLength(packets);
          }
          expect(queue.packets).toBe(model.length);
          expect(queue.bytes).toBe(model.reduce((sum, [, b]) => sum + b, 0));
        });
      }),
    );
  });
});
