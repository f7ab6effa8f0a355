import { AskedWindow } from '../../../../../host-agent/transport/receiving/asked-window';
import type { AskedSegment } from '../../../../../host-agent/transport/receiving/resend-room';

const T = 8000;

/** A byte takes 80 ps at 100 Gb/s, a round trip as long as 100 bytes: so 110 are asked for at once. */
const newWindow = (heldMax?: number): AskedWindow<string> => new AskedWindow(100e9, T, heldMax);

const trimmed = (bytes: number, sequence: number) => ({ bytes, sequence, isTurn: false });

test('asks for a round trip of the link and a tenth, and for the next as segments arrive', () => {
  const window = newWindow();
  const asked: AskedSegment[] = [];
  for (const sequence of [0, 50]) {
    expect(window.hold(0, 50, String(sequence))).toBe(false);
    window.noteAsked(0, asked, trimmed(50, sequence));
  }
  expect(window.isBusy()).toBe(false);
  expect([window.hold(0, 50, '100'), window.hold(0, 5, '150')]).toEqual([true, true]);
  expect([window.isBusy(), window.take(T)]).toEqual([true, undefined]);
  window.noteArrived(asked, 50);
  expect([window.nextAt, window.take(T)]).toEqual([0, '100']);
  window.noteAsked(T, asked, trimmed(50, 100));
  // The small one still fits.
  expect([window.take(T), window.take(T)]).toEqual(['150', undefined]);
  expect([window.nextAt, window.isBusy()]).toEqual([Infinity, false]);
});

test('is told by a later segment that a turn was taken, and of what was cut by that segment alone', () => {
  const window = newWindow();
  const [turns, cut]: AskedSegment[][] = [[], []];
  window.noteAsked(0, turns as AskedSegment[], { bytes: 60, sequence: 100, isTurn: true });
  window.noteAsked(0, cut as AskedSegment[], trimmed(50, 100));
  expect(window.hold(0, 50, 'next')).toBe(true);
  window.noteArrived(cut as AskedSegment[], 150);
  window.noteArrived(turns as AskedSegment[], 50);
  expect(window.take(1)).toBeUndefined();
  window.noteArrived(turns as AskedSegment[], 150);
  expect([window.take(1), turns, cut?.length]).toEqual(['next', [], 1]);
});

test('gives the room of flows that are complete to others', () => {
  const window = newWindow();
  const asked: AskedSegment[] = [];
  for (const sequence of [0, 50]) window.noteAsked(0, asked, trimmed(50, sequence));
  expect(window.hold(0, 100, 'other')).toBe(true);
  window.noteFinished(asked);
  expect([asked, window.take(1)]).toEqual([[], 'other']);
});

test('waits eight round trips for a segment that does not come, and counts it once where it does later', () => {
  const window = newWindow();
  const asked: AskedSegment[] = [];
  window.noteAsked(1000, asked, trimmed(100, 0));
  window.hold(1000, 100, 'a');
  window.hold(1000, 20, 'b');
  expect([window.nextAt, window.take(8 * T)]).toEqual([1000 + 8 * T, undefined]);
  expect(window.take(1000 + 8 * T)).toBe('a');
  const other: AskedSegment[] = [];
  window.noteAsked(1000 + 8 * T, other, trimmed(100, 0));
  window.noteArrived(asked, 0);
  expect(window.take(9 * T)).toBeUndefined();
});

test('asks for one segment at a time where a round trip is shorter, and holds no more than so many', () => {
  const window = newWindow(1);
  const asked: AskedSegment[] = [];
  expect(window.hold(0, 500, 'a')).toBe(false);
  window.noteAsked(0, asked, trimmed(500, 0));
  expect([window.hold(0, 500, 'b'), window.hold(0, 500, 'c')]).toEqual([true, false]);
  window.noteArrived(asked, 0);
  expect(window.take(1)).toBe('b');
});

test('remembers no request that the window has no room for, nor old ones of a flow', () => {
  const window = newWindow(1);
  const asked: AskedSegment[] = [];
  window.noteAsked(0, asked, trimmed(100, 0));
  window.noteAsked(0, asked, trimmed(100, 100));
  expect(asked).toHaveLength(1);
  window.hold(0, 50, 'a');
  expect(window.take(8 * T)).toBe('a');
  window.noteAsked(8 * T, asked, trimmed(50, 200));
  expect(asked.map(({ sequence }) => sequence)).toEqual([200]);
});
