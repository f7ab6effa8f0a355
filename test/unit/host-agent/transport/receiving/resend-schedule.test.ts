import { ResendSchedule } from '../../../../../host-agent/transport/receiving/resend-schedule';

/** A byte takes 80 ps at 100 Gb/s. */
const schedule = (): ResendSchedule => new ResendSchedule(100e9);

test('promises one frame after the other, and nothing of the time that has passed', () => {
  const own = schedule();
  expect([own.reserve(1000, 100), own.reserve(1000, 50), own.reserve(2000, 10)]).toEqual([
    0, 8000, 11_000,
  ]);
  expect(own.reserve(1_000_000, 100)).toBe(0);
});
