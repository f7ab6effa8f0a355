import * as fc from 'fast-check';
import { LinkPort } from '../../../../switch/v1model/link-port';
import { PacedPort } from '../../../../switch/v1model/paced-port';
import { TrafficManager } from '../../../../switch/v1model/traffic-manager';
import { WeightedRoundRobin } from '../../../../switch/v1model/weighted-round-robin';

const always = (): boolean => true;

/** Bytes that each queue sends in so many packets, of lengths that `lengthOf` gives. */
function sentBy(
  weights: readonly number[],
  packets: number,
  lengthOf: (queue: number, packet: number) => number,
): number[] {
  const turns = new WeightedRoundRobin(weights.length);
  weights.forEach((weight, queue) => turns.setWeight(queue, weight));
  const sent = weights.map(() => 0);
  for (let packet = 0; packet < packets; packet++) {
    const queue = turns.next(always);
    if (queue === undefined) throw new Error('a queue is ready');
    const length = lengthOf(queue, packet);
    turns.charge(length);
    sent[queue] = (sent[queue] ?? 0) + length;
  }
  return sent;
}

describe('turns by weight', () => {
  test('are byte for byte, whatever the lengths of the packets', () => {
    const weight = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(
        weight,
        weight,
        fc.infiniteStream(fc.integer({ min: 64, max: 9000 })),
        (a, b, lengths) => {
          const sent = sentBy([a, b], 2000, (queue) => {
            const length = lengths.next().value as number;
            return queue === 0 ? 64 + (length % 100) : length;
          });
          // Never further apart than a turn and a packet of each.
          const [first = 0, second = 0] = sent;
          expect(Math.abs(first / a - second / b)).toBeLessThan(2 * 1518 + 2 * 9000);
        },
      ),
    );
  });

  test('of weights 3 and 1 give three quarters of the bytes', () => {
    const [light = 0, heavy = 0] = sentBy([1, 3], 40_000, (queue) => (queue === 0 ? 1106 : 300));
    expect(heavy / (heavy + light)).toBeCloseTo(0.75, 3);
  });

  test('pass over queues that are empty, whose credit is lost', () => {
    const turns = new WeightedRoundRobin(2);
    turns.setWeight(0, 1);
    turns.setWeight(1, 200);
    expect(turns.next((queue) => queue === 1)).toBe(1);
    turns.charge(100);
    for (let i = 0; i < 100; i++) {
      expect(turns.next((queue) => queue === 0)).toBe(0);
      turns.charge(1000);
    }
    // A fresh turn, and not what was left of 200 quanta besides.
    let inARow = 0;
    while (turns.next(always) === 1) {
      turns.charge(1518);
      inARow++;
    }
    expect(inARow).toBeLessThanOrEqual(201);
  });

  test('come behind queues without a weight', () => {
    const turns = new WeightedRoundRobin(3);
    turns.setWeight(0, 1);
    turns.setWeight(2, 1);
    expect(turns.next(always)).toBe(1);
    expect(turns.next(() => false)).toBeUndefined();
  });
});

describe('ports', () => {
  const options = { port: 1, rate: 8e12 } as const;

  test('of links serve by weight once they are told one, and by priority before', () => {
    const port = new LinkPort<string>(options, 2, { kind: 'packets' });
    const fill = (): void => {
      for (let i = 0; i < 8; i++)
        for (const queue of [0, 1]) port.enqueue(`q${queue}`, 1518, queue);
    };
    let now = 0;
    const leave = (count: number): string[] =>
      Array.from({ length: count }, () => {
        const item = port.dequeue(now) ?? '';
        now = port.start(now, 1518)[0] ?? NaN;
        return item;
      });
    fill();
    expect(leave(16)).toEqual([
      ...new Array<string>(8).fill('q1'),
      ...new Array<string>(8).fill('q0'),
    ]);
    port.setWeight(1, 0);
    port.setWeight(3, 1);
    fill();
    const served = leave(8);
    expect(served.filter((queue) => queue === 'q1')).toHaveLength(6);
  });

  test('that are paced in packets have no weights', () => {
    const paced = { pacing: 'bmv2 packets/s', port: 2 } as const;
    const traffic = new TrafficManager<string>([options, paced], {
      unit: { kind: 'packets' },
      priorities: 2,
    });
    expect(traffic.port(2)).toBeInstanceOf(PacedPort);
    expect(traffic.setWeight(3, { port: 2, priority: 1 })).toBe(false);
    expect(traffic.setWeight(3, { port: 1, priority: 1 })).toBe(true);
    expect(traffic.setWeight(3)).toBe(false);
  });
});
