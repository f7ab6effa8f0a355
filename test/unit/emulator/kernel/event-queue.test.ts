import * as fc from 'fast-check';
import { EventQueue } from '../../../../emulator/kernel/event-queue';
import type { EventTarget } from '../../../../emulator/kernel/event-queue';

class Recorder implements EventTarget {
  readonly seen: { now: number; port: number }[] = [];
  handleEvent(now: number, _kind: number, port: number): void {
    this.seen.push({ now, port });
  }
}

function drain(queue: EventQueue): void {
  while (queue.step());
}

describe('the event queue', () => {
  test('delivers events in order of time, and equal times in order of scheduling', () => {
    const queue = new EventQueue();
    const target = new Recorder();
    [30, 10, 20, 10].forEach((at, port) => {
      queue.schedule({ at, target, kind: 0, port });
    });
    drain(queue);
    expect(target.seen).toEqual([
      { now: 10, port: 1 },
      { now: 10, port: 3 },
      { now: 20, port: 2 },
      { now: 30, port: 0 },
    ]);
  });

  test('orders any list of times like a stable sort, beyond its initial capacity', () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 3000 });
    fc.assert(
      fc.property(times, (list) => {
        const queue = new EventQueue();
        const target = new Recorder();
        list.forEach((at, port) => {
          queue.schedule({ at, target, kind: 0, port });
        });
        drain(queue);
        const expected = list
          .map((now, port) => ({ now, port }))
          .sort((a, b) => a.now - b.now || a.port - b.port);
        expect(target.seen).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test('lets a handler schedule more events, at the present instant too', () => {
    const queue = new EventQueue();
    const seen: string[] = [];
    const target: EventTarget = {
      handleEvent(now, kind) {
        seen.push(`${kind}@${now}`);
        if (kind === 0) queue.schedule({ at: now, target, kind: 1, port: 0 });
      },
    };
    queue.schedule({ at: 5, target, kind: 0, port: 0 });
    queue.schedule({ at: 5, target, kind: 2, port: 0 });
    drain(queue);
    expect(seen).toEqual(['0@5', '2@5', '1@5']);
    expect(queue.now).toBe(5);
  });

  test('refuses an event in the past', () => {
    const queue = new EventQueue();
    const target = new Recorder();
    queue.schedule({ at: 10, target, kind: 0, port: 0 });
    drain(queue);
    expect(() => queue.schedule({ at: 9, target, kind: 0, port: 0 })).toThrow('lies before now');
  });

  test('says when the next event is due', () => {
    const queue = new EventQueue();
    expect(queue.nextTime).toBeUndefined();
    queue.schedule({ at: 7, target: new Recorder(), kind: 0, port: 0 });
    expect(queue.nextTime).toBe(7);
    expect(queue.step()).toBe(true);
    expect(queue.step()).toBe(false);
  });
});
