import { Alarm } from '../../../../emulator/kernel/alarm';
import { EventQueue } from '../../../../emulator/kernel/event-queue';
import type { EventTarget } from '../../../../emulator/kernel/event-queue';
import { Random } from '../../../../common/random/random';

/** More than the records, the heaps and the targets that a queue begins with. */
const MANY = 5000;
const NS = 1000;
const SECOND = 1e12;

interface Seen {
  readonly now: number;
  readonly what: number;
}

function recorder(queue: EventQueue): { readonly target: EventTarget; readonly seen: Seen[] } {
  const seen: Seen[] = [];
  const source = queue.newSource();
  return { target: { source, handleEvent: (now, what) => void seen.push({ now, what }) }, seen };
}

const packet = (length: number) => ({ bytes: new Uint8Array(1), length });

describe('many events', () => {
  test.each([
    ['within a few ns', 10 * NS],
    ['over a window', 10_000 * NS],
    ['over a second', SECOND],
  ])('%s come in order, with what was said of them', (_, within) => {
    const queue = new EventQueue();
    const { target, seen } = recorder(queue);
    const random = new Random(7);
    const times = Array.from({ length: MANY }, () => random.below(within));
    times.forEach((at, what) => queue.schedule(at, target, what));
    while (queue.step());
    const expected = times.map((now, what) => ({ now, what }));
    expect(seen).toEqual(expected.sort((a, b) => a.now - b.now || a.what - b.what));
  });

  test('at the edges of buckets and windows come in order', () => {
    const queue = new EventQueue();
    const { target, seen } = recorder(queue);
    const edges = [2 ** 12, 2 ** 24, 2 ** 25, 5 * 2 ** 24].flatMap((at) => [at - 1, at, at + 1]);
    for (const at of [...edges].reverse()) queue.schedule(at, target, 0);
    // Also from the middle of a window on.
    while (queue.step()) if (queue.now === 2 ** 24) queue.schedule(2 ** 25, target, 0);
    const again = [...edges, 2 ** 25].sort((a, b) => a - b);
    expect(seen.map(({ now }) => now)).toEqual(again);
  });

  test('at one instant come in the order in which they were scheduled', () => {
    const queue = new EventQueue();
    const { target, seen } = recorder(queue);
    for (let what = 0; what < MANY; what++) queue.schedule(5, target, what);
    while (queue.step());
    expect(seen.map(({ what }) => what)).toEqual(Array.from({ length: MANY }, (_, i) => i));
  });

  test('keep their packets, whose bytes count for who waits for them', () => {
    const queue = new EventQueue();
    const lengths: number[] = [];
    const [one, other] = [0, 1].map((): EventTarget => ({
      source: queue.newSource(),
      handleEvent: (_now, _what, each) => void lengths.push(each?.length ?? -1),
    })) as [EventTarget, EventTarget];
    for (let i = 0; i < MANY; i++) queue.schedule(i, one, 0, packet(i));
    queue.schedule(MANY, other, 0, packet(7));
    queue.schedule(MANY, other, 0);
    const all = (MANY * (MANY - 1)) / 2;
    expect([...queue.pendingBytes()]).toEqual([
      [one, all],
      [other, 7],
    ]);
    for (let i = 0; i < 10; i++) queue.step();
    expect(queue.pendingBytes().get(one)).toBe(all - 45);
    while (queue.step());
    expect(lengths).toEqual([...Array.from({ length: MANY }, (_, i) => i), 7, -1]);
    expect(queue.pendingBytes().size).toBe(0);
  });

  test('of many targets count for each', () => {
    const queue = new EventQueue();
    const sources = Array.from({ length: MANY }, () => queue.newSource());
    expect(sources).toEqual(Array.from({ length: MANY }, (_, i) => i));
    const handleEvent = (): void => undefined;
    for (const source of sources) queue.schedule(source, { source, handleEvent }, 0);
    queue.schedule(0, { source: MANY - 1, handleEvent }, 0);
    expect([...queue.scheduled]).toEqual([...sources.slice(1).map(() => 1), 2]);
  });

  test('have no more targets than orders have room for', () => {
    const queue = new EventQueue();
    for (let i = 0; i < 2 ** 17; i++) queue.newSource();
    expect(() => queue.newSource()).toThrow('a queue has at most 131072 targets');
  });
});

test('a place lies before all events until one was taken, and is that of the last one then', () => {
  const queue = new EventQueue();
  const { target } = recorder(queue);
  expect(queue.stamp).toBe(-Infinity);
  queue.schedule(3, target, 0);
  queue.step();
  queue.schedule(8, target, 0);
  queue.step();
  expect([queue.stamp, queue.order]).toEqual([3, 1]);
});

describe('a run', () => {
  test('says whether there is more up to its instant, which belongs to it', () => {
    const queue = new EventQueue();
    const { target, seen } = recorder(queue);
    for (const at of [10, 20, 30]) queue.schedule(at, target, at);
    expect(queue.run(20, 1)).toBe(true);
    expect(queue.run(20, 0)).toBe(true);
    expect(queue.run(20, 1)).toBe(false);
    expect(seen).toHaveLength(2);
    expect(queue.run(30, 1)).toBe(false);
    expect(queue.run(30, 1)).toBe(false);
    expect(seen).toHaveLength(3);
  });

  test('that was stopped says so once, and goes on', () => {
    const queue = new EventQueue();
    const alarm = new Alarm(queue.newSource(), (_, what) => {
      if (what === 0) queue.stop();
    });
    for (const what of [0, 1, 2]) queue.schedule(what, alarm, what);
    expect(queue.run(5, 10)).toBe(true);
    expect(queue.now).toBe(0);
    expect(queue.run(5, 10)).toBe(false);
    expect(queue.now).toBe(2);
  });
});

test('an alarm rings with the instant and what it was set for', () => {
  const queue = new EventQueue();
  const rung: unknown[] = [];
  const alarm = new Alarm(queue.newSource(), (now, what) => rung.push([now, what]));
  queue.schedule(4, alarm, 9);
  queue.step();
  expect(rung).toEqual([[4, 9]]);
});
