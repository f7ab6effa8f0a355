import * as fc from 'fast-check';
import type {
  Acknowledgement,
  CongestionControl,
  CongestionControlFactory,
} from '../../host-agent/algorithm/congestion-control';
import { acknowledgement, hopRecord } from '../support/telemetry';

const LINK_RATE = 100e9;
const T_NS = 4000;
const BANDWIDTH_DELAY_PRODUCT = 50_000;
const PS = 1000;

/** One step of a flow's life: a link that moved on, or idleness. */
interface Step {
  readonly dt: number;
  readonly load: number;
  readonly queueBytes: number;
  readonly switchId: number;
  readonly isIdleRestart: boolean;
}

/**
 * Tests the behaviour required of every congestion control, whatever its algorithm. Call it within a test
 * file, once per implementation.
 */
export function describeCongestionControl(name: string, factory: CongestionControlFactory): void {
  const create = (): CongestionControl => factory({ linkRate: LINK_RATE, baseRtt: T_NS * PS });

  describe(`${name} as a congestion control`, () => {
    it('starts with a window, at most at the rate of its link', () => {
      const control = create();
      expect(control.windowBytes).toBeGreaterThan(0);
      expect(control.pacingRate).toBeGreaterThan(0);
      expect(control.pacingRate).toBeLessThanOrEqual(LINK_RATE);
    });

    it('keeps window and rate within their bounds, whatever the telemetry says', () => {
      fc.assert(
        fc.property(fc.array(anyStep), (steps) => {
          run(create(), steps, (control) => {
            expect(control.windowBytes).toBeGreaterThan(0);
            expect(control.windowBytes).toBeLessThanOrEqual(BANDWIDTH_DELAY_PRODUCT);
            expect(control.pacingRate).toBeGreaterThan(0);
            expect(control.pacingRate).toBeLessThanOrEqual(LINK_RATE);
          });
        }),
      );
    });

    it('depends on nothing but its inputs, and not on being watched', () => {
      fc.assert(
        fc.property(fc.array(anyStep), (steps) => {
          const watched: number[] = [];
          const [one, other] = [create(), create()];
          run(one, steps, (control) => watched.push(control.metrics().windowBytes));
          run(other, steps, () => undefined);
          expect(other.metrics()).toEqual(one.metrics());
          expect(watched).toHaveLength(steps.length);
        }),
      );
    });

    it('reports in its metrics what it says itself', () => {
      const control = create();
      run(control, [busy, busy, busy], () => undefined);
      expect(control.metrics().windowBytes).toBe(control.windowBytes);
      expect(control.metrics().pacingRate).toBe(control.pacingRate);
    });

    it('slows down on a congested path and speeds up again on a free one', () => {
      const windows: number[] = [];
      const steps = [...repeat(busy, 10), ...repeat(free, 50)];
      run(create(), steps, (control) => windows.push(control.windowBytes));
      const [slow, fast] = [windows[9] ?? NaN, windows[59] ?? NaN];
      expect(slow).toBeLessThan(BANDWIDTH_DELAY_PRODUCT / 2);
      expect(fast).toBeGreaterThan(slow);
    });

    it('does not change its window for telemetry that it cannot use', () => {
      const control = create();
      run(control, repeat(busy, 5), () => undefined);
      const before = control.windowBytes;
      control.onAck(acknowledgement({ telemetry: [], ackSequence: 1e9, nextSequence: 2e9 }));
      expect(control.windowBytes).toBe(before);
      expect(control.metrics().telemetryRejected).toBe(1);
    });
  });
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  dt: fc.integer({ min: 0, max: 1e6 }),
  load: fc.double({ min: 0, max: 4, noNaN: true }),
  queueBytes: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
  switchId: fc.integer({ min: 1, max: 2 }),
  isIdleRestart: fc.boolean(),
});

const busy: Step = {
  dt: T_NS,
  load: 1,
  queueBytes: 100_000,
  switchId: 1,
  isIdleRestart: false,
};
const free: Step = { ...busy, load: 0.3, queueBytes: 0 };

const repeat = (step: Step, times: number): Step[] => new Array<Step>(times).fill(step);

/** Every step is one acknowledgement of all that was sent; each step ends a round. */
function run(
  control: CongestionControl,
  steps: readonly Step[],
  observe: (control: CongestionControl) => void,
): void {
  let [timestamp, txBytes, sequence] = [0, 0, 0];
  for (const step of steps) {
    timestamp += step.dt;
    txBytes += Math.round(step.dt * step.load * 12.5);
    sequence += 1000;
    const now = timestamp * PS;
    if (step.isIdleRestart) control.onIdleRestart(now);
    control.onAck(ackOf(step, { timestamp, txBytes }, { sequence, now }));
    observe(control);
  }
}

function ackOf(
  step: Step,
  counters: { readonly timestamp: number; readonly txBytes: number },
  at: { readonly sequence: number; readonly now: number },
): Acknowledgement {
  const { switchId, queueBytes } = step;
  return acknowledgement({
    telemetry: [hopRecord({ switchId, queueBytes, ...counters })],
    ackSequence: at.sequence,
    nextSequence: at.sequence,
    now: at.now,
  });
}
