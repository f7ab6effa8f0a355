import * as fc from 'fast-check';
import { EventQueue } from '../../../../emulator/kernel/event-queue';
import type { EventTarget } from '../../../../emulator/kernel/event-queue';

class Recorder implements EventTarget {
  readonly seen: { now: number; what: number }[] = [];
  readonly source: number;

  constructor(queue: EventQueue) {
    this.source = queue.newSource();
  }

  handleEvent(now: number, what: number): void {
    this.seen.push({ now, what });
  }
}

function drain(queue: EventQueue): void {
  while (queue.step());
}

describe('the event queue', () => {
  test('delivers events in order of time, and equal times in order of scheduling', () => {
    const queue = new EventQueue();
    const target = new Recorder(queue);
    [30, 10, 20, 10].forEach((at, what) => {
      queue.schedule(at, target, what);
    });
    drain(queue);
    expect(target.seen).toEqual([
      { now: 10, what: 1 },
      { now: 10, what: 3 },
      { now: 20, what: 2 },
      { now: 30, what: 0 },
    ]);
  });

  test('orders events of equal time by their targets, whichever was told first', () => {
    const queue = new EventQueue();
    const seen: string[] = [];
    const target = (name: string): EventTarget => ({
      source: queue.newSource(),
      handleEvent: (_now, what) => seen.push(`${name}${what}`),
    });
    const [a, b, c] = [target('a'), target('b'), target('c')];
    for (const [each, what] of [
      [c, 1],
      [b, 2],
      [a, 3],
      [b, 4],
    ] as const) {
      queue.schedule(10, each, what);
    }
    drain(queue);
    expect(seen).toEqual(['a3', 'b2', 'b4', 'c1']);
    expect([...queue.scheduled]).toEqual([1, 2, 1]);
  });

  test('takes events from another queue in the order that it gave them', () => {
    const [one, other] = [new EventQueue(), new EventQueue()];
    const seen: (number | undefined)[] = [];
    const target: EventTarget = {
      source: one.newSource(),
      handleEvent: (_now, _what, packet) => seen.push(packet?.id),
    };
    other.newSource();
    const orders = [1, 2, 3].map(() => other.orderOf(target));
    const packet = (id: number) => ({ bytes: new Uint8Array(1), length: 1, id });
    one.scheduleFrom(5, target, { stamp: 3, order: 0 }, packet(3));
    one.scheduleFrom(5, target, { stamp: 0, order: orders[2] as number }, packet(2));
    one.scheduleFrom(5, target, { stamp: 0, order: orders[0] as number }, packet(0));
    one.scheduleFrom(5, target, { stamp: 0, order: orders[1] as number }, packet(1));
    drain(one);
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  test('keeps the place of an event that is scheduled later, or never', () => {
    const queue = new EventQueue();
    const seen: string[] = [];
    const target = (name: string): EventTarget => ({
      source: queue.newSource(),
      handleEvent: (_now, what) => seen.push(`${name}${what}`),
    });
    const [a, b] = [target('a'), target('b')];
    const key = { stamp: queue.now, order: queue.orderOf(a) };
    queue.schedule(7, a, 2);
    queue.schedule(7, b, 3);
    queue.scheduleIn(key, 7, a, 1);
    drain(queue);
    expect(seen).toEqual(['a1', 'a2', 'b3']);
    expect([...queue.scheduled]).toEqual([2, 1]);
  });

  test('orders any list of times like a stable sort', () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 3000 });
    fc.assert(
      fc.property(times, (list) => {
        const queue = new EventQueue();
        const target = new Recorder(queue);
        list.forEach((at, what) => {
          queue.schedule(at, target, what);
        });
        drain(queue);
        const expected = list
          .map((now, what) => ({ now, what }))
          .sort((a, b) => a.now - b.now || a.what - b.what);
        expect(target.seen).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test('keeps the order across all distances, from the same instant to whole seconds', () => {
    const distance = fc.oneof(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 20_000_000 }),
      fc.integer({ min: 0, max: 1_000_000_000_000 }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(distance, { maxLength: 4 }), { maxLength: 300 }), (steps) => {
        const queue = new EventQueue();
        const pending: { at: number; what: number }[] = [];
        const schedule = (at: number): void => {
          const what = queue.scheduled[target.source] ?? NaN;
          pending.push({ at, what });
          queue.schedule(at, target, what);
        };
        const target: EventTarget = {
          source: queue.newSource(),
          handleEvent(now, what) {
            pending.sort((a, b) => a.at - b.at || a.what - b.what);
            expect({ at: now, what }).toEqual(pending.shift());
          },
        };
        for (const distances of steps) {
          for (const each of distances) schedule(queue.now + each);
          queue.step();
        }
        drain(queue);
        expect(pending).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('runs up to an instant, a number of events, or until it is stopped', () => {
    const queue = new EventQueue();
    const seen: number[] = [];
    const target: EventTarget = {
      source: queue.newSource(),
      handleEvent(_now, what) {
        seen.push(what);
        if (what === 2) queue.stop();
      },
    };
    [10, 20, 30, 40].forEach((at, i) => {
      queue.schedule(at, target, i);
    });
    expect(queue.run(100, 1)).toBe(true);
    expect(queue.run(100, 100)).toBe(true);
    expect(seen).toEqual([0, 1, 2]);
    expect(queue.run(35, 100)).toBe(false);
    expect(seen).toEqual([0, 1, 2]);
    expect(queue.run(40, 100)).toBe(false);
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  test('lets a handler schedule more events, at the present instant too', () => {
    const queue = new EventQueue();
    const seen: string[] = [];
    const target: EventTarget = {
      source: queue.newSource(),
      handleEvent(now, what) {
        seen.push(`${what}@${now}`);
        if (what === 0) queue.schedule(now, target, 1);
      },
    };
    queue.schedule(5, target, 0);
    queue.schedule(5, target, 2);
    drain(queue);
    expect(seen).toEqual(['0@5', '2@5', '1@5']);
    expect(queue.now).toBe(5);
  });

  test('refuses an event in the past', () => {
    const queue = new EventQueue();
    const target = new Recorder(queue);
    queue.schedule(10, target, 0);
    drain(queue);
    expect(() => queue.schedule(9, target, 0)).toThrow('lies before now');
  });

  test('says when the next event is due', () => {
    const queue = new EventQueue();
    expect(queue.nextTime).toBeUndefined();
    queue.schedule(7, new Recorder(queue), 0);
    expect(queue.nextTime).toBe(7);
    expect(queue.step()).toBe(true);
    expect(queue.step()).toBe(false);
  });
});
