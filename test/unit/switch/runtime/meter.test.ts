import { PS_PER_US } from '../../../../common/units/units';
import { GREEN, Meter, MeterArray } from '../../../../switch/runtime/meter';
import type { MeterSettings } from '../../../../switch/control/program-control';

/** The other colours, as v1model.p4 numbers them. */
const [YELLOW, RED] = [1, 2];

/** A token per microsecond below the committed rate, two below the peak rate. */
const SETTINGS: MeterSettings = {
  committedRate: 1_000_000,
  committedBurst: 2,
  peakRate: 2_000_000,
  peakBurst: 4,
};

/** Colours of packets that cost one token each, at instants in microseconds. */
function colours(settings: MeterSettings, ...microseconds: number[]): number[] {
  const meter = new Meter();
  meter.configure(settings);
  return microseconds.map((at) => meter.execute(at * PS_PER_US, 1));
}

describe('a meter', () => {
  test('without settings is green', () => {
    expect(new Meter().execute(0, 1e9)).toBe(GREEN);
  });

  test('begins with full buckets: green, then yellow, then red', () => {
    // The committed bucket holds 2 and the peak bucket 4.
    expect(colours(SETTINGS, 0, 0, 0, 0, 0)).toEqual([GREEN, GREEN, YELLOW, YELLOW, RED]);
  });

  test('fills both buckets with time, up to their bursts', () => {
    const [, , , , ...later] = colours(SETTINGS, 0, 0, 0, 0, 1, 1, 1);
    // One microsecond brings 1 committed and 2 peak tokens.
    expect(later).toEqual([GREEN, YELLOW, RED]);
    const [, , , , ...muchLater] = colours(SETTINGS, 0, 0, 0, 0, 100, 100, 100, 100, 100);
    expect(muchLater).toEqual([GREEN, GREEN, YELLOW, YELLOW, RED]);
  });

  test('a red packet takes no tokens and a yellow one takes peak tokens only', () => {
    const meter = new Meter();
    meter.configure({ ...SETTINGS, committedBurst: 1, peakBurst: 3 });
    // 4 > 3 is red, then 2 > 1 is yellow and leaves a peak token, and the committed one is there.
    expect([4, 2, 1].map((cost) => meter.execute(0, cost))).toEqual([RED, YELLOW, GREEN]);
  });

  test('loses no fractions of tokens, because it counts from the origin', () => {
    // 0.3 tokens per microsecond: the tokens come at 4, 7, 10, 14 µs.
    const slow = { ...SETTINGS, committedRate: 300_000, peakRate: 300_000 };
    const settings = { ...slow, committedBurst: 1, peakBurst: 1 };
    const at = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
    const green = colours(settings, ...at).flatMap((colour, i) => (colour === GREEN ? [i] : []));
    expect(green).toEqual([0, 4, 7, 10, 14]);
  });

  test('is green again without settings', () => {
    const meter = new Meter();
    meter.configure({ ...SETTINGS, peakBurst: 0 });
    expect(meter.execute(0, 1)).toBe(RED);
    meter.configure(undefined);
    expect(meter.execute(0, 1)).toBe(GREEN);
    expect(meter.settings).toBeUndefined();
  });
});

describe('a meter array', () => {
  test('measures bytes or packets, cell by cell', () => {
    const packets = new MeterArray('m', 2, 'packets');
    const bytes = new MeterArray('m', 2, 'bytes');
    for (const array of [packets, bytes]) array.configure(0, SETTINGS);
    expect(packets.execute(0n, 0, 1000)).toBe(GREEN);
    expect(bytes.execute(0n, 0, 1000)).toBe(RED);
    expect(bytes.execute(1n, 0, 1000)).toBe(GREEN);
    expect(bytes.settings(0)).toEqual(SETTINGS);
    expect(bytes.settings(1)).toBeUndefined();
  });

  test.each([-1, 2, 0.5])('has no cell %d', (index) => {
    const array = new MeterArray('m', 2, 'packets');
    array.configure(index, SETTINGS);
    expect(array.settings(index)).toBeUndefined();
    expect(array.execute(index, 0, 1)).toBeUndefined();
  });
});
