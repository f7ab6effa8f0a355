import * as fc from 'fast-check';
import { Alarm } from '../../../../emulator/kernel/alarm';
import { VirtualTime } from '../../../../emulator/kernel/virtual-time';
import type { QueuePlan } from '../../../../emulator/kernel/virtual-time';

const ONE_QUEUE: QueuePlan = { queueOf: () => '', lookahead: Infinity, period: 100 };
const EVENTS = 1e6;

/** A node that notes when its alarm rings, and for what. */
function nodeOf(time: VirtualTime, name: string, seen: string[]): Alarm {
  const queue = time.queueOf(name);
  return new Alarm(queue, queue.newSource(), (now, what) => seen.push(`${name}${what}@${now}`));
}

describe('virtual time', () => {
  test('goes through the events of one queue in order, of equal times by source', () => {
    const time = new VirtualTime(ONE_QUEUE);
    const seen: string[] = [];
    const [a, b] = ['a', 'b'].map((name) => nodeOf(time, name, seen)) as [Alarm, Alarm];
    b.set(5, 1);
    a.set(9, 2);
    a.set(5, 3);
    a.set(5, 4);
    expect(time.run(100, EVENTS)).toBe(false);
    expect(seen).toEqual(['a3@5', 'a4@5', 'b1@5', 'a2@9']);
    expect(time.handled).toEqual([3, 1]);
  });

  test('lets nodes of several queues take turns in windows of the lookahead', () => {
    const time = new VirtualTime({ queueOf: (node) => node, lookahead: 10, period: 1000 });
    const seen: string[] = [];
    const [a, b] = ['a', 'b'].map((name) => nodeOf(time, name, seen)) as [Alarm, Alarm];
    for (const at of [1, 10, 11, 12]) a.set(at, 0);
    for (const at of [3, 9, 13]) b.set(at, 0);
    time.run(12, EVENTS);
    expect(seen).toEqual(['a0@1', 'a0@10', 'b0@3', 'b0@9', 'a0@11', 'a0@12']);
    expect(time.now).toBe(12);
    expect(time.nextTime).toBe(13);
  });

  test('is that of the latest event once a window is over', () => {
    const time = new VirtualTime({ queueOf: (node) => node, lookahead: 10, period: 1000 });
    const [a, b] = ['a', 'b'].map((name) => nodeOf(time, name, [])) as [Alarm, Alarm];
    a.set(1, 0);
    a.set(8, 0);
    b.set(4, 0);
    time.run(100, EVENTS);
    expect(time.now).toBe(8);
  });

  test.each([1, 4, 10, 1000])(
    'comes to what concerns all nodes in order, lookahead %s',
    (lookahead) => {
      const time = new VirtualTime({ queueOf: (node) => node, lookahead, period: 1000 });
      const seen: string[] = [];
      const nodes = ['a', 'b'].map((name) => nodeOf(time, name, seen));
      const all = new Alarm(time.everywhere, time.everywhere.newSource(), (now) => {
        seen.push(`all@${now}`);
      });
      for (const node of nodes) for (const at of [1, 4, 5, 6]) node.set(at, 0);
      all.set(5, 0);
      const { observers } = time;
      new Alarm(observers, observers.newSource(), (now) => seen.push(`look@${now}`)).set(5, 0);
      time.run(100, EVENTS);
      const [before, at, after] = [seen.slice(0, 4), seen.slice(5, 7), seen.slice(8)];
      expect([...before].sort()).toEqual(['a0@1', 'a0@4', 'b0@1', 'b0@4']);
      expect(seen[4]).toBe('all@5');
      expect([...at].sort()).toEqual(['a0@5', 'b0@5']);
      expect(seen[7]).toBe('look@5');
      expect([...after].sort()).toEqual(['a0@6', 'b0@6']);
    },
  );

  test('has no window across the end of a period', () => {
    const time = new VirtualTime({ queueOf: (node) => node, lookahead: 10, period: 7 });
    const seen: string[] = [];
    const [a, b] = ['a', 'b'].map((name) => nodeOf(time, name, seen)) as [Alarm, Alarm];
    for (const at of [5, 6, 7]) a.set(at, 0);
    b.set(6, 1);
    // Who stops at the sixth instant stops before the next period.
    new Alarm(time.queueOf('a'), time.queueOf('a').newSource(), () => time.stop()).set(6, 0);
    expect(time.run(100, EVENTS)).toBe(true);
    expect(seen).toEqual(['a0@5', 'a0@6', 'b1@6']);
  });

  test('stops behind an event that concerns all nodes', () => {
    const time = new VirtualTime(ONE_QUEUE);
    const seen: number[] = [];
    const all = new Alarm(time.everywhere, time.everywhere.newSource(), (_now, what) => {
      seen.push(what);
      time.stop();
    });
    all.set(3, 1);
    all.set(3, 2);
    expect(time.run(10, EVENTS)).toBe(true);
    expect(seen).toEqual([1]);
    expect(time.run(10, EVENTS)).toBe(false);
    expect(seen).toEqual([1, 2]);
  });

  test('runs as many events as it is told in one queue, and whole windows in several', () => {
    const count = (plan: QueuePlan): number => {
      const time = new VirtualTime(plan);
      const seen: string[] = [];
      for (const name of ['a', 'b', 'c']) nodeOf(time, name, seen).set(2, 0);
      expect(time.run(10, 1)).toBe(plan === ONE_QUEUE);
      return seen.length;
    };
    expect(count(ONE_QUEUE)).toBe(1);
    expect(count({ queueOf: (node) => node, lookahead: 5, period: 100 })).toBe(3);
  });

  test('does not go back', () => {
    const time = new VirtualTime(ONE_QUEUE);
    const node = nodeOf(time, 'a', []);
    node.set(10, 0);
    time.run(10, EVENTS);
    expect(() => node.set(9, 0)).toThrow('no event lies before now');
  });

  test('needs time between queues', () => {
    const plan = { queueOf: (node: string) => node, lookahead: 0, period: 1 };
    expect(() => new VirtualTime(plan)).toThrow('takes time');
  });
});

const NODES = 5;
const LOOKAHEAD = 4;

/** An event at a node, and what it makes others and itself do, some time later. */
interface Planned {
  readonly node: number;
  readonly delay: number;
  readonly causes: readonly Planned[];
}

const plans = (depth: number): fc.Arbitrary<Planned> =>
  fc.record({
    node: fc.nat(NODES - 1),
    delay: fc.nat(6),
    causes: depth === 0 ? fc.constant([]) : fc.array(plans(depth - 1), { maxLength: 3 }),
  });

/** Events that each node sees, with times. Messages between nodes take the lookahead and more. */
function logs(events: readonly Planned[], plan: QueuePlan): string[][] {
  const time = new VirtualTime(plan);
  const known: Planned[] = [];
  const seen = Array.from({ length: NODES }, (): string[] => []);
  /** Alarms by the node that has them and the node that sets them. */
  const alarms = seen.map((log, i) => {
    const queue = time.queueOf(`n${i}`);
    return seen.map(
      (_, from) =>
        new Alarm(queue, queue.newSource(), (now, what) => {
          const { node, delay, causes } = known[what] as Planned;
          log.push(`${delay} of ${from} at ${now}`);
          for (const cause of causes) start(cause, now, node);
        }),
    );
  });
  const start = (each: Planned, now: number, from: number): void => {
    const at = now + each.delay + (from === each.node ? 0 : LOOKAHEAD);
    alarms[each.node]?.[from]?.set(at, known.length);
    known.push(each);
  };
  for (const each of events) start(each, 0, each.node);
  while (time.run(Infinity, 3));
  return seen;
}

test('every node sees the same whether nodes share a queue or take turns in windows', () => {
  fc.assert(
    fc.property(
      fc.array(plans(3), { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      (events, period) => {
        const one = logs(events, ONE_QUEUE);
        for (const lookahead of [1, LOOKAHEAD]) {
          expect(logs(events, { queueOf: (node) => node, lookahead, period })).toEqual(one);
        }
        const pairs = (node: string): string => (node < 'n2' ? 'low' : 'high');
        expect(logs(events, { queueOf: pairs, lookahead: LOOKAHEAD, period })).toEqual(one);
      },
    ),
    { numRuns: 200 },
  );
});

/** Places of the events of some nodes of one queue: all of them, or those of a worker. */
function places(events: readonly Planned[], nodes: readonly number[]): [number, number, string][] {
  const time = new VirtualTime(ONE_QUEUE);
  const queue = time.queueOf('');
  const seen: [number, number, string][] = [];
  const known: Planned[] = [];
  const alarms = Array.from(
    { length: 4 },
    (_, node) =>
      new Alarm(queue, queue.newSource(), (now, what) => {
        const { delay, causes } = known[what] as Planned;
        seen.push([now, time.clock.rank, `${node} ${delay}`]);
        // A worker's events cause none of the others.
        for (const cause of causes) set({ ...cause, node: (2 * cause.node + (node % 2)) % 4 }, now);
      }),
  );
  const set = (each: Planned, now: number): void => {
    if (!nodes.includes(each.node)) return;
    alarms[each.node]?.set(now + (each.delay >> 1), known.length);
    known.push(each);
  };
  for (const each of events) set(each, 0);
  time.run(Infinity, EVENTS);
  return seen;
}

test('places put the events of two workers together as one queue would have taken them', () => {
  fc.assert(
    fc.property(fc.array(plans(3), { maxLength: 12 }), (events) => {
      const own = events.map((each) => ({ ...each, node: each.node % 4 }));
      const apart = [...places(own, [0, 2]), ...places(own, [1, 3])];
      apart.sort(([now, rank], [then, other]) => now - then || rank - other);
      expect(apart).toEqual(places(own, [0, 1, 2, 3]));
    }),
    { numRuns: 300 },
  );
});
