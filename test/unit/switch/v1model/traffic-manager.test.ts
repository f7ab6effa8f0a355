import { gigabitsPerSecond } from '../../../../common/units/units';
import { TrafficManager } from '../../../../switch/v1model/traffic-manager';
import type { QueueUnit } from '../../../../switch/v1model/options';
import type { OutputPort } from '../../../../switch/v1model/traffic-manager';

const RATE = gigabitsPerSecond(100);

function manager(unit: QueueUnit = { kind: 'packets' }): TrafficManager<string> {
  return new TrafficManager<string>(
    [
      { port: 7, rate: RATE },
      { port: 3, rate: RATE * 4 },
    ],
    unit,
  );
}

function portOf(traffic: TrafficManager<string>, number: number): OutputPort<string> {
  const port = traffic.port(number);
  if (port === undefined) throw new Error(`there is no port ${number}`);
  return port;
}

describe('the ports', () => {
  test('are found by number and listed in ascending order', () => {
    const traffic = manager();
    expect(traffic.port(5)).toBeUndefined();
    expect([...traffic.ports()].map((port) => port.port)).toEqual([3, 7]);
  });

  test('must be declared once and have a rate', () => {
    const twice = [1, 1].map((port) => ({ port, rate: RATE }));
    expect(() => new TrafficManager(twice, { kind: 'packets' })).toThrow('declared once');
    const still = [{ port: 1, rate: 0 }];
    expect(() => new TrafficManager(still, { kind: 'packets' })).toThrow('rate above 0');
  });
});

describe('a link', () => {
  test('is busy from the first bit of a packet to its last', () => {
    const port = portOf(manager(), 7);
    // 1090 bytes at 100 Gb/s: 1090 * 80 ps = 87,200 ps.
    expect(port.start(1_000, 1090)).toBe(88_200);
    expect(port.isFree(88_199)).toBe(false);
    expect(port.isFree(88_200)).toBe(true);
  });

  test('is exact at 400 Gb/s', () => {
    // 20 ps per byte.
    expect(portOf(manager(), 3).start(0, 1)).toBe(20);
  });

  test('sends one packet at a time', () => {
    const port = portOf(manager(), 7);
    port.start(0, 100);
    expect(() => port.start(10, 100)).toThrow('one packet at a time');
  });
});

describe('the depth', () => {
  test.each([
    [{ kind: 'packets' } as const, 3],
    // 1000 + 500 + 99 = 1599 bytes: 1599, 19 (of 80 bytes) and 6 (of 256 bytes) whole cells.
    [{ kind: 'bytes', cell: 1 } as const, 1599],
    [{ kind: 'bytes', cell: 80 } as const, 19],
    [{ kind: 'bytes', cell: 256 } as const, 6],
  ])('in %j', (unit, depth) => {
    const traffic = manager(unit);
    const port = portOf(traffic, 7);
    [1000, 500, 99].forEach((bytes) => port.queue.enqueue('p', bytes));
    expect(traffic.depth(port)).toBe(depth);
  });
});
