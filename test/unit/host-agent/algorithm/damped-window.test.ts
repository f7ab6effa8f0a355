import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import type { HpccppWindowOptions } from '../../../../host-agent/algorithm/window-form';

/** W_init is 50,000 bytes; the step is next to nothing. */
const OPTIONS: HpccppWindowOptions = {
  linkRate: 100e9,
  baseRtt: 4_000_000,
  targetUtilization: 0.8,
  maxStage: 0,
  additiveIncreaseBytes: 1e-6,
};
const W_INIT = 50_000;

/** The window after one round in which the path was loaded as `U` says. */
function windowAfter(U: number, more: Partial<HpccppWindowOptions>) {
  const control = new HpccppWindow({ ...OPTIONS, ...more });
  const report = { ackSequence: 1000, nextSequence: 51_000, now: 0, endsRound: true };
  control.onLoad({ ...report, ratio: U, intervalNs: 4000 });
  return control;
}

describe('a gain below 1', () => {
  test('goes its share of the way while U is within a tenth of eta', () => {
    const U = 0.8 * 1.05;
    expect(windowAfter(U, {}).windowBytes).toBeCloseTo(W_INIT / 1.05, 3);
    const quarter = W_INIT + 0.25 * (W_INIT / 1.05 - W_INIT);
    expect(windowAfter(U, { gain: 0.25 }).windowBytes).toBeCloseTo(quarter, 3);
  });

  test('goes all of it where a path is fuller, or emptier', () => {
    for (const U of [0.8 * 1.2, 0.8 * 2]) {
      expect(windowAfter(U, { gain: 0.25 }).windowBytes).toBe(windowAfter(U, {}).windowBytes);
    }
  });

  test.each([0, 1.01, NaN])('of %p is refused', (gain) => {
    expect(() => new HpccppWindow({ ...OPTIONS, gain })).toThrow('gain must be');
  });
});

describe('slack of the window', () => {
  test('lets more be in flight at the same rate', () => {
    const [own, plain] = [windowAfter(1, { windowSlack: 1.15 }), windowAfter(1, {})];
    expect(own.windowBytes).toBeCloseTo(1.15 * plain.windowBytes, 6);
    expect(own.pacingRate).toBe(plain.pacingRate);
  });

  test.each([0.9, 5])('of %p is refused', (windowSlack) => {
    expect(() => new HpccppWindow({ ...OPTIONS, windowSlack })).toThrow('windowSlack must be');
  });
});
