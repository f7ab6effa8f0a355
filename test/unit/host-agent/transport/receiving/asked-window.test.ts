import { AskedWindow } from '../../../../../host-agent/transport/receiving/asked-window';
import type {
  AskedSegment,
  WantedSegment,
} from '../../../../../host-agent/transport/receiving/resend-room';

const T = 8000;

/** A byte takes 80 ps at 100 Gb/s, a round trip as long as 100 bytes: so 125 are asked for at once. */
const newWindow = (heldMax?: number) => new AskedWindow<WantedSegment>(100e9, T, heldMax);

const cut = (sequence: number, bytes = 50): WantedSegment => ({
  sequence,
  bytes,
  isTurn: false,
  tries: 0,
});
const turn = (sequence: number, bytes = 50): WantedSegment => ({
  ...cut(sequence, bytes),
  isTurn: true,
});

/** Asks for each at once. */
function ask(
  window: AskedWindow<WantedSegment>,
  ...segments: readonly WantedSegment[]
): AskedSegment[] {
  const asked: AskedSegment[] = [];
  for (const one of segments) window.noteAsked(0, asked, one, one.sequence);
  return asked;
}

const hold = (window: AskedWindow<WantedSegment>, segment: WantedSegment): boolean =>
  window.hold(0, segment.bytes, segment);

test('asks for a round trip of the link and a quarter, and for the next as segments arrive', () => {
  const window = newWindow();
  expect(hold(window, cut(0))).toBe(false);
  const asked = ask(window, cut(0), cut(50));
  expect(window.isBusy()).toBe(false);
  expect(hold(window, cut(100, 25))).toBe(false);
  const [third, small] = [cut(100), cut(150, 5)];
  expect([hold(window, third), hold(window, small)]).toEqual([true, true]);
  expect([window.isBusy(), window.take(T)]).toEqual([true, undefined]);
  window.noteArrived(asked, 50);
  expect([window.nextAt, window.take(T)]).toEqual([0, third]);
  window.noteAsked(T, asked, third, 100);
  // The small one still fits.
  expect([window.take(T), window.take(T), window.isBusy()]).toEqual([small, undefined, false]);
});

test('is told by a later segment that a turn was taken, and of what was cut by that segment alone', () => {
  const window = newWindow();
  const turns = ask(window, turn(100));
  const cuts = ask(window, cut(100));
  const next = cut(0);
  expect(hold(window, next)).toBe(true);
  window.noteArrived(cuts, 150);
  window.noteArrived(turns, 50);
  expect(window.take(1)).toBeUndefined();
  window.noteArrived(turns, 150);
  expect([window.take(1), turns, cuts.length]).toEqual([next, [], 1]);
});

test('gives the room of flows that are complete to others', () => {
  const window = newWindow();
  const asked = ask(window, cut(0), cut(50));
  const other = cut(0, 100);
  expect(hold(window, other)).toBe(true);
  window.noteFinished(asked);
  expect([asked, window.take(1)]).toEqual([[], other]);
});

test('asks once more, before others, after eight round trips, and at most eight times', () => {
  const window = newWindow();
  const missing = cut(0, 100);
  const asked = ask(window, missing);
  const other = cut(500, 100);
  hold(window, other);
  expect([window.nextAt, window.take(8 * T - 1)]).toEqual([8 * T, undefined]);
  for (let tries = 1; tries <= 8; tries++) {
    const now = 8 * tries * T;
    expect(window.take(now)).toBe(missing);
    window.noteAsked(now, asked, missing, 0);
    expect([missing.tries, window.take(now), asked.length]).toEqual([tries, undefined, 1]);
  }
  expect(window.take(72 * T)).toBe(other);
});

test('counts what arrives after it was given up once', () => {
  const window = newWindow();
  const late = ask(window, cut(0, 100));
  const again = window.take(8 * T) as WantedSegment;
  const asked: AskedSegment[] = [];
  window.noteAsked(8 * T, asked, again, 0);
  hold(window, cut(500));
  window.noteArrived(late, 0);
  expect(window.take(9 * T)).toBeUndefined();
});

test('asks for one segment at a time where a round trip is shorter, and holds no more than so many', () => {
  const window = newWindow(1);
  const [a, b, c] = [cut(0, 500), cut(500, 500), cut(1000, 500)];
  expect(hold(window, a)).toBe(false);
  const asked = ask(window, a);
  expect([hold(window, b), hold(window, c)]).toEqual([true, false]);
  window.noteArrived(asked, 0);
  expect(window.take(1)).toBe(b);
});

test('remembers no request that the window has no room for', () => {
  expect(ask(newWindow(1), cut(0, 100), cut(100, 100))).toHaveLength(1);
});
