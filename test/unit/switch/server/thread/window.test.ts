import { noteHandled, Window, windowMemory } from '../../../../../switch/server/thread/window';
import type { Held } from '../../../../../switch/server/thread/window';

const MEBIBYTE = 1024 * 1024;
/** Requests and bytes under way at most. */
const [REQUESTS, MEBIBYTES] = [256, 8];

describe('what is under way from the doors to the switches', () => {
  let handled: Int32Array;
  let window: Window;
  let sent: number[];
  beforeEach(() => {
    handled = new Int32Array(windowMemory());
    window = new Window(handled);
    sent = [];
  });
  const request = (number: number, bytes = 1): Held => ({ bytes, send: () => sent.push(number) });
  const later = async (count: number): Promise<void> => {
    while (sent.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
  };

  test('are so many requests at most; the rest follows in order as they are handled', async () => {
    for (let i = 0; i < REQUESTS; i++) expect(window.send(request(i))).toBe(true);
    for (let i = 0; i < 3; i++) expect(window.send(request(REQUESTS + i))).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toHaveLength(REQUESTS);
    noteHandled(handled, 1);
    await later(REQUESTS + 1);
    // What waits goes before what comes.
    noteHandled(handled, 1);
    window.send(request(1000));
    noteHandled(handled, 1);
    noteHandled(handled, 1);
    await later(REQUESTS + 4);
    expect(sent.slice(REQUESTS)).toEqual([REQUESTS, REQUESTS + 1, REQUESTS + 2, 1000]);
  });

  test('are so many bytes at most, but for one that is longer', async () => {
    const long = 100 * MEBIBYTE;
    expect(window.send(request(0, long))).toBe(true);
    expect(window.send(request(1, 1))).toBe(false);
    noteHandled(handled, long);
    await later(2);
    noteHandled(handled, 1);
    for (let i = 0; i < MEBIBYTES; i++) expect(window.send(request(i, MEBIBYTE))).toBe(true);
    const last = request(MEBIBYTES, 1);
    expect(window.send(last)).toBe(false);
    expect(window.takeBack(last)).toBe(true);
  });

  test('can be taken back while they wait, and not afterwards', async () => {
    const [first] = Array.from({ length: REQUESTS }, (_, i) => {
      const each = request(i);
      window.send(each);
      return each;
    });
    expect(window.takeBack(first as Held)).toBe(false);
    const waiting = request(REQUESTS);
    expect(window.send(waiting)).toBe(false);
    expect(window.takeBack(waiting)).toBe(true);
    for (let i = 0; i < REQUESTS; i++) noteHandled(handled, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toHaveLength(REQUESTS);
  });

  test('are counted right when the counts go round', () => {
    for (let i = 0; i < 50; i++) {
      expect(window.send(request(i, 100 * MEBIBYTE))).toBe(true);
      noteHandled(handled, 100 * MEBIBYTE);
    }
  });
});
