import { MessageSchedule } from '../../../../emulator/workload/message-schedule';
import type { Connection, Message } from '../../../../emulator/workload/connection';

const US = 1_000_000;

const message = (bytes: number, given: Partial<Message> = {}): Message => ({
  bytes,
  startUs: 0,
  after: [],
  delayUs: 0,
  ...given,
});

const connection = (...messages: Message[]): Connection => ({ from: 'a', to: 'b', messages });

describe('a schedule of messages', () => {
  it('begins with what waits for nothing, when it may start', () => {
    const schedule = new MessageSchedule([
      connection(message(10, { startUs: 5 })),
      connection(message(10, { after: [{ connection: 0, message: 0 }] })),
    ]);
    expect(schedule.start()).toEqual([{ connection: 0, at: 5 * US }]);
  });

  it('hands out a message when the last byte of what it waits for has arrived', () => {
    const schedule = new MessageSchedule([
      connection(message(10), message(10)),
      connection(message(7, { after: [{ connection: 0, message: 1 }], delayUs: 2 })),
    ]);
    schedule.start();
    expect(schedule.offer(0, 0)).toMatchObject({ bytes: 10, isFirst: true, isLast: false });
    expect(schedule.delivered(3 * US, 0, 10)).toEqual([]);
    expect(schedule.offer(3 * US, 0)).toMatchObject({ isFirst: false, isLast: true, due: [] });
    expect(schedule.delivered(4 * US, 0, 19)).toEqual([]);
    expect(schedule.delivered(5 * US, 0, 20)).toEqual([{ connection: 1, at: 7 * US }]);
    expect(schedule.delivered(6 * US, 0, 20)).toEqual([]);
  });

  it('announces the next message of a connection with the one before', () => {
    const schedule = new MessageSchedule([connection(message(10), message(20))]);
    schedule.start();
    expect(schedule.offer(US, 0).due).toEqual([{ connection: 0, at: US }]);
  });

  it('announces no message before its predecessor was sent, although what it waits for is there', () => {
    const schedule = new MessageSchedule([
      connection(message(10)),
      connection(
        message(5, { startUs: 50 }),
        message(5, { after: [{ connection: 0, message: 0 }] }),
      ),
    ]);
    schedule.start();
    schedule.offer(0, 0);
    expect(schedule.delivered(US, 0, 10)).toEqual([]);
    expect(schedule.offer(50 * US, 1).due).toEqual([{ connection: 1, at: 50 * US }]);
  });

  it('tells from when to when a connection had work', () => {
    const schedule = new MessageSchedule([connection(message(10))]);
    schedule.start();
    expect(schedule.span(0)).toEqual({ from: undefined, to: undefined });
    schedule.offer(2 * US, 0);
    schedule.delivered(9 * US, 0, 10);
    expect(schedule.span(0)).toEqual({ from: 2 * US, to: 9 * US });
  });
});
