import { PS_PER_SECOND, gigabitsPerSecond } from '../../../../common/units/units';
import { LinkPort } from '../../../../switch/v1model/link-port';
import { PacedPort } from '../../../../switch/v1model/paced-port';
import { TrafficManager } from '../../../../switch/v1model/traffic-manager';
import type { PacedPortOptions, QueueUnit } from '../../../../switch/v1model/options';
import type { OutputPort } from '../../../../switch/v1model/output-port';

const RATE = gigabitsPerSecond(100);
const PACKETS: QueueUnit = { kind: 'packets' };

function link(rate = RATE, priorities = 1, unit = PACKETS): LinkPort<string> {
  return new LinkPort({ port: 7, rate }, priorities, unit);
}

function paced(over: Partial<PacedPortOptions> = {}, priorities = 1): PacedPort<string> {
  return new PacedPort({ pacing: 'bmv2 packets/s', port: 7, ...over }, priorities, PACKETS);
}

/** Adds packets at one instant, each of 100 bytes; says which were taken. */
function admit(
  port: OutputPort<string>,
  names: string,
  { now = 0, priority = 0 }: { now?: number; priority?: number } = {},
): boolean[] {
  return Array.from(names, (name) => port.enqueue(name, 100, priority, now));
}

/** All that may leave at one instant. */
function leaving(port: OutputPort<string>, now: number): string {
  let names = '';
  for (let item = port.dequeue(now); item !== undefined; item = port.dequeue(now)) names += item;
  return names;
}

describe('the ports', () => {
  const ports = [
    { port: 7, rate: RATE },
    { port: 3, rate: RATE * 4 },
  ];

  test('are found by number and listed in ascending order', () => {
    const traffic = new TrafficManager<string>(ports, { unit: PACKETS });
    expect(traffic.port(5)).toBeUndefined();
    expect([...traffic.ports()].map((port) => port.port)).toEqual([3, 7]);
  });

  test('remember when their queues were longest for the first time', () => {
    const port = paced();
    admit(port, 'ab');
    port.notePeak(10);
    port.notePeak(20);
    expect(leaving(port, 20)).toBe('ab');
    port.notePeak(30);
    expect(port.peak).toEqual({ bytes: 200, at: 10 });
  });

  test('that nobody has asked for yet are there all the same', () => {
    const idle = [2, 9].map((port) => ({ pacing: 'bmv2 packets/s', port }) as const);
    const traffic = new TrafficManager<string>([...ports, ...idle], { unit: PACKETS });
    const numbers = (some: Iterable<{ port: number }>): number[] =>
      [...some].map(({ port }) => port);
    expect(numbers(traffic.usedPorts())).toEqual([3, 7]);
    const asked = traffic.port(9);
    expect(traffic.port(9)).toBe(asked);
    expect(numbers(traffic.usedPorts())).toEqual([3, 7, 9]);
    traffic.setDepth(1, { port: 2 });
    expect(numbers(traffic.usedPorts())).toEqual([2, 3, 7, 9]);
    const other = traffic.port(2);
    expect([other?.enqueue('a', 1, 0, 0), other?.enqueue('b', 1, 0, 0)]).toEqual([true, false]);
    expect(numbers(traffic.ports())).toEqual([2, 3, 7, 9]);
    expect(() => traffic.addPort({ pacing: 'bmv2 packets/s', port: 9 })).toThrow('declared once');
    traffic.removePort(2);
    expect(traffic.port(2)).toBeUndefined();
  });

  test('must be declared once and have a rate', () => {
    const twice = [1, 1].map((port) => ({ port, rate: RATE }));
    expect(() => new TrafficManager(twice, { unit: PACKETS })).toThrow('declared once');
    const still = [{ port: 1, rate: 0 }];
    expect(() => new TrafficManager(still, { unit: PACKETS })).toThrow('rate above 0');
  });

  test('can be taken away with what waits there', () => {
    const traffic = new TrafficManager<string>(ports, { unit: PACKETS });
    traffic.port(3)?.enqueue('a', 1, 0, 0);
    expect(traffic.removePort(3)).toEqual(['a']);
    expect(traffic.port(3)).toBeUndefined();
    expect(traffic.removePort(3)).toEqual([]);
  });
});

describe('a link', () => {
  test('is busy from the first bit of a packet to its last', () => {
    const port = link();
    // 1090 bytes at 100 Gb/s: 1090 * 80 ps = 87,200 ps.
    expect(port.start(1_000, 1090)[0]).toBe(88_200);
    expect(port.isFree(88_199)).toBe(false);
    expect(port.isFree(88_200)).toBe(true);
  });

  test('is exact at 400 Gb/s', () => {
    // 20 ps per byte.
    expect(link(RATE * 4).start(0, 1)[0]).toBe(20);
  });

  test('sends one packet at a time', () => {
    const port = link();
    admit(port, 'ab');
    expect(port.dequeue(0)).toBe('a');
    port.start(0, 100);
    expect(port.dequeue(7_999)).toBeUndefined();
    expect(port.nextDeparture()).toBe(8_000);
    expect(() => port.start(10, 100)).toThrow('one packet at a time');
    expect(port.dequeue(8_000)).toBe('b');
    expect(port.nextDeparture()).toBe(Infinity);
  });

  test('serves the highest priority first, and each queue in order', () => {
    const port = link(RATE, 3);
    admit(port, 'ab', { priority: 0 });
    admit(port, 'cd', { priority: 2 });
    admit(port, 'e', { priority: 1 });
    expect(leaving(port, 0)).toBe('cdeab');
  });

  test('keeps its rate when packets per second are set', () => {
    const port = link();
    port.setPacketRate();
    admit(port, 'ab');
    expect(leaving(port, 0)).toBe('ab');
  });
});

describe('a port of so many packets per second', () => {
  const interval = PS_PER_SECOND / 1000;

  test('lets everything out at once without a rate', () => {
    const port = paced();
    admit(port, 'abc', { now: 5 });
    expect(port.nextDeparture()).toBe(5);
    expect(leaving(port, 5)).toBe('abc');
    expect(port.start(5)[0]).toBe(5);
  });

  test('lets one out per interval, and the first one at once', () => {
    const port = paced({ packetsPerSecond: 1000 });
    const start = 10 * interval;
    admit(port, 'abc', { now: start });
    expect(leaving(port, start)).toBe('a');
    expect(port.nextDeparture()).toBe(start + interval);
    expect(leaving(port, start + interval - 1)).toBe('');
    expect(leaving(port, start + interval)).toBe('b');
    expect(leaving(port, start + 5 * interval)).toBe('c');
  });

  test('does not save up intervals in which nothing came', () => {
    const port = paced({ packetsPerSecond: 1000 });
    admit(port, 'a', { now: interval });
    expect(leaving(port, interval)).toBe('a');
    admit(port, 'bc', { now: 10 * interval });
    expect(leaving(port, 10 * interval)).toBe('b');
  });

  test('holds 64 packets of each priority, as bmv2 does', () => {
    const port = paced({ packetsPerSecond: 1 }, 2);
    expect(admit(port, 'x'.repeat(65)).filter(Boolean)).toHaveLength(64);
    expect(admit(port, 'y', { priority: 1 })).toEqual([true]);
    expect(port.packets).toBe(65);
  });

  test('gives a refused packet no departure', () => {
    const port = paced({ packetsPerSecond: 1000, queueLimit: { packets: 1 } });
    admit(port, 'ab', { now: interval });
    expect(leaving(port, interval)).toBe('a');
    admit(port, 'c', { now: interval });
    // Had 'b' taken the departure at 2 intervals, 'c' would leave at 3.
    expect(port.nextDeparture()).toBe(2 * interval);
  });

  test('paces each priority by itself, so two of them have twice the rate', () => {
    const port = paced({ packetsPerSecond: 1000 }, 2);
    admit(port, 'ab', { now: interval, priority: 0 });
    admit(port, 'cd', { now: interval, priority: 1 });
    expect(leaving(port, interval)).toBe('ca');
    expect(leaving(port, 2 * interval)).toBe('db');
  });

  test('applies another rate to packets that come later', () => {
    const port = paced({ packetsPerSecond: 1000 });
    admit(port, 'ab', { now: interval });
    port.setPacketRate(500, undefined);
    admit(port, 'c', { now: interval });
    expect(leaving(port, 2 * interval)).toBe('ab');
    expect(port.nextDeparture()).toBe(4 * interval);
    port.setPacketRate(0, 0);
    admit(port, 'd', { now: interval });
    expect(leaving(port, 4 * interval)).toBe('cd');
  });

  test('forgets departures when it is drained', () => {
    const port = paced({ packetsPerSecond: 1000 });
    admit(port, 'ab');
    expect(port.drain()).toEqual(['a', 'b']);
    expect(port.nextDeparture()).toBe(Infinity);
  });

  test('refuses a priority that has no queue', () => {
    expect(admit(paced(), 'a', { priority: 1 })).toEqual([false]);
  });
});

describe('queue settings', () => {
  test('select all ports, one port or one priority', () => {
    const ports = [1, 2].map((port) => ({ pacing: 'bmv2 packets/s', port }) as const);
    const traffic = new TrafficManager<string>(ports, { unit: PACKETS, priorities: 2 });
    const room = (port: number, priority: number): number => {
      const output = traffic.port(port);
      if (output === undefined) throw new Error(`no port ${port}`);
      return admit(output, 'x'.repeat(5), { priority }).filter(Boolean).length;
    };
    traffic.setDepth(1);
    traffic.setDepth(2, { port: 2 });
    traffic.setDepth(3, { port: 2, priority: 1 });
    traffic.setDepth(9, { port: 5 });
    expect([room(1, 0), room(1, 1), room(2, 0), room(2, 1)]).toEqual([1, 1, 2, 3]);
    traffic.setRate(1000, { port: 1, priority: 1 });
  });
});

describe('the depth', () => {
  test.each([
    [{ kind: 'packets' } as const, 3],
    // 1000 + 500 + 99 = 1599 bytes: 1599, 19 (of 80 bytes) and 6 (of 256 bytes) whole cells.
    [{ kind: 'bytes', cell: 1 } as const, 1599],
    [{ kind: 'bytes', cell: 80 } as const, 19],
    [{ kind: 'bytes', cell: 256 } as const, 6],
  ])('in %j counts one priority', (unit, depth) => {
    const port = link(RATE, 2, unit);
    [1000, 500, 99].forEach((bytes) => port.enqueue('p', bytes, 1));
    expect(port.depth(1)).toBe(depth);
    expect(port.depth(0)).toBe(0);
    expect(port.depth(5)).toBe(0);
    expect(port.bytes).toBe(1599);
  });
});
