import { ResendSchedule } from '../../../../../host-agent/transport/receiving/resend-schedule';

/** A byte takes 80 ps at 100 Gb/s, a round trip as long as 100 bytes. */
const schedule = (heldMax?: number): ResendSchedule<string> =>
  new ResendSchedule(100e9, 8000, heldMax);

test('promises one frame after the other, and holds what would come after more than a round trip', () => {
  const own = schedule();
  expect(own.hold(1000, 100, 'a')).toBe(false);
  expect(own.hold(1000, 50, 'b')).toBe(false);
  expect(own.hold(1000, 10, 'c')).toBe(true);
  expect(own.nextAt).toBe(5000);
  expect([own.take(4999), own.take(5000), own.take(5000)]).toEqual([undefined, 'c', undefined]);
  expect(own.nextAt).toBe(Infinity);
});

test('promises nothing of the time that has passed', () => {
  const own = schedule();
  own.hold(1000, 1000, 'a');
  expect(own.hold(1_000_000, 100, 'b')).toBe(false);
});

test('holds no more than so many, and promises no room to others', () => {
  const own = schedule(2);
  const held = Array.from({ length: 6 }, (_, i) => own.hold(0, 100, String(i)));
  expect(held).toEqual([false, false, true, true, false, false]);
  expect([own.take(1e9), own.take(1e9), own.take(1e9)]).toEqual(['2', '3', undefined]);
  expect(own.hold(23_000, 100, 'next')).toBe(true);
});

test('is busy while what it promises begins more than a round trip later', () => {
  const own = schedule();
  expect(own.isBusy(1000)).toBe(false);
  own.hold(1000, 200, 'a');
  expect([own.isBusy(8999), own.isBusy(9000)]).toEqual([true, false]);
});
