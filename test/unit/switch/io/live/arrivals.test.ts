import { Arrivals } from '../../../../../switch/io/live/arrivals';
import type { DataPort } from '../../../../../switch/io/live/data-port';
import { drainPort } from '../../../../support/drain-port';

const MICRO = 1e6;
/** 125 bytes last 10 us at 100 Mb/s. */
const [FRAME_BYTES, RATE] = [125, 100e6];

/** A port at which so many frames wait; the first byte of each is its number. */
function portWith(
  port: number,
  frames: number,
  fd = 1,
): DataPort & { readonly back: () => number } {
  const waiting = Array.from({ length: frames }, (_, i) => new Uint8Array(FRAME_BYTES).fill(i));
  let givenBack = 0;
  return {
    port,
    fd,
    interfaceName: `p${port}`,
    hasDeferredWork: false,
    open: (limit) => Math.min(limit, waiting.length),
    lengthOf: (index) => waiting[index]?.length ?? 0,
    take: (handle) => handle(waiting.shift() as Uint8Array),
    giveBack: () => {
      givenBack++;
    },
    back: () => givenBack,
    send: () => undefined,
    flush: () => undefined,
    doDeferredWork: () => undefined,
    counters: () => ({ received: 0, sent: 0, overflowed: 0, oversized: 0, sendFailed: 0 }),
    close: () => undefined,
  };
}

/** Port, frame and microsecond of each arrival. */
function taken(ports: readonly DataPort[], since: number, rates: ReadonlyMap<number, number>) {
  const found: [port: number, frame: number, us: number][] = [];
  const arrivals = new Arrivals(rates, (port, at, frame) => {
    found.push([port, frame[0] ?? -1, at / MICRO]);
  });
  const count = arrivals.take(ports, since * MICRO, 100 * MICRO);
  expect(count).toBe(found.length);
  return found;
}

const RATES = new Map([
  [1, RATE],
  [2, RATE],
]);

describe('the frames of one turn', () => {
  test('have come as far apart as their link allows, the last one now', () => {
    const port = portWith(1, 3);
    expect(taken([port], 0, RATES)).toEqual([
      [1, 0, 80],
      [1, 1, 90],
      [1, 2, 100],
    ]);
    expect(port.back()).toBe(1);
  });

  test('have not come before the turn before, nor later than now', () => {
    expect(taken([portWith(1, 4)], 85, RATES).map(([, , us]) => us)).toEqual([85, 95, 100, 100]);
  });

  test('of several ports are handled in order of time, the first port first', () => {
    expect(taken([portWith(1, 2), portWith(2, 3)], 0, RATES).map(([port, n]) => [port, n])).toEqual(
      [
        [2, 0],
        [1, 0],
        [2, 1],
        [1, 1],
        [2, 2],
      ],
    );
  });

  test('have all come now where nobody knows a rate, and where they are read from files', () => {
    expect(taken([portWith(1, 2)], 0, new Map()).map(([, , us]) => us)).toEqual([100, 100]);
    expect(taken([portWith(1, 2, -1)], 0, RATES).map(([, , us]) => us)).toEqual([100, 100]);
  });

  test('are 64 of a port at most, and none is nothing to give back', () => {
    const [full, empty] = [portWith(1, 65), portWith(2, 0)];
    expect(taken([full, empty], 0, RATES)).toHaveLength(64);
    expect([full.back(), empty.back()]).toEqual([1, 0]);
    expect(drainPort(full, 64, () => undefined)).toBe(1);
  });
});
