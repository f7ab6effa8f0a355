import * as fc from 'fast-check';
import { WindowedMinimum } from '../../../../host-agent/path/base-rtt';

const WINDOW = 100;
const PART = WINDOW / 4;

describe('the least value of late', () => {
  it('is infinite before the first one', () => {
    expect(new WindowedMinimum(WINDOW).value).toBe(Infinity);
  });

  it.each([
    [[[0, 7]], 7],
    [
      [
        [0, 7],
        [10, 9],
      ],
      7,
    ],
    [
      [
        [0, 7],
        [10, 5],
      ],
      5,
    ],
    [
      [
        [0, 5],
        [99, 9],
      ],
      5,
    ],
    [
      [
        [0, 5],
        [100, 9],
      ],
      9,
    ],
    [
      [
        [0, 5],
        [60, 8],
        [110, 9],
      ],
      8,
    ],
    [
      [
        [0, 5],
        [60, 8],
        [1000, 9],
      ],
      9,
    ],
  ] as const)('of %j is %d', (values, least) => {
    const minimum = new WindowedMinimum(WINDOW);
    for (const [now, value] of values) minimum.note(now, value);
    expect(minimum.value).toBe(least);
  });

  it('is of the window, give or take a quarter, whatever is noted and when', () => {
    const notes = fc.array(fc.tuple(fc.nat(40), fc.nat(1000)), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(notes, (steps) => {
        const minimum = new WindowedMinimum(WINDOW);
        const noted: { readonly at: number; readonly value: number }[] = [];
        let now = 0;
        for (const [step, value] of steps) {
          now += step;
          minimum.note(now, value);
          noted.push({ at: now, value });
        }
        const since = (age: number): number =>
          Math.min(...noted.filter(({ at }) => at >= now - age).map(({ value }) => value));
        expect(minimum.value).toBeLessThanOrEqual(since(WINDOW - PART));
        expect(minimum.value).toBeGreaterThanOrEqual(since(WINDOW));
      }),
    );
  });
});
