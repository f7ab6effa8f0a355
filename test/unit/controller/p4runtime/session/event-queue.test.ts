import { SwitchError } from '../../../../../controller/p4runtime/session/errors';
import { EventQueue } from '../../../../../controller/p4runtime/session/event-queue';
import type { StreamEvent } from '../../../../../controller/p4runtime/session/stream-event';

const event = (reason: string): StreamEvent => ({ kind: 'unreadable', reason });
const end: StreamEvent = { kind: 'ended', reason: new SwitchError('s1', 'gone', 'UNAVAILABLE') };

describe('events between a stream and its reader', () => {
  test('they come in order, whether the reader waits for them or they for it', async () => {
    const queue = new EventQueue(10, () => undefined);
    const early = queue.next();
    queue.push(event('a'));
    queue.push(event('b'));
    expect(await early).toEqual({ done: false, value: event('a') });
    expect(await queue.next()).toEqual({ done: false, value: event('b') });
  });

  test('a full queue drops the oldest and says how many', async () => {
    const queue = new EventQueue(2, () => undefined);
    for (const name of ['a', 'b', 'c', 'd']) queue.push(event(name));
    queue.push(end);
    const found: StreamEvent[] = [];
    for await (const each of queue) found.push(each);
    expect(found).toEqual([{ kind: 'dropped', count: 3 }, event('d'), end]);
  });

  test('the end of the stream is the last event, and everybody who waits is told', async () => {
    let detached = 0;
    const queue = new EventQueue(2, () => detached++);
    const waiting = [queue.next(), queue.next()];
    queue.push(end);
    queue.push(event('too late'));
    expect(await Promise.all(waiting)).toEqual([
      { done: false, value: end },
      { done: true, value: undefined },
    ]);
    expect(await queue.next()).toEqual({ done: true, value: undefined });
    expect(detached).toBe(1);
  });

  test('a reader that breaks off hears no more and is detached', async () => {
    let detached = 0;
    const queue = new EventQueue(2, () => detached++);
    queue.push(event('a'));
    queue.push(event('b'));
    for await (const each of queue) {
      expect(each).toEqual(event('a'));
      break;
    }
    queue.push(event('c'));
    expect(await queue.next()).toEqual({ done: true, value: undefined });
    expect(detached).toBe(1);
  });
});
