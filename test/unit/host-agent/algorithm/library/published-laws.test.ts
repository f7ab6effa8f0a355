import fc from 'fast-check';
import { algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import type { AlgorithmName } from '../../../../../host-agent/algorithm/library/algorithms';
import type {
  Acknowledgement,
  CongestionControl,
} from '../../../../../host-agent/algorithm/congestion-control';
import { HpccRateForm } from '../../../../../host-agent/algorithm/rate-form';
import { acknowledgement, hopRecord } from '../../../../support/telemetry';

/**
 * Each algorithm against the listing of its paper, written down again as plainly as it can be, on random
 * acknowledgements: marks, delays, loads, several acknowledgements per round trip and rounds of any length.
 */

const T = 4_160_000;
const US = 1_000_000;
const R = 100e9;
const SEGMENT = 1000;
const BDP = 52_000;
const environment = { linkRate: R, baseRtt: T, segmentBytes: SEGMENT };

const created = (name: AlgorithmName, constants = {}): CongestionControl =>
  algorithmNamed(name).factory({ constants })(environment);

interface Step {
  readonly bytes: number;
  readonly ahead: number;
  readonly quarters: number;
  readonly isMarked: boolean;
  readonly rttUs: number;
  readonly load: number;
  readonly queueBytes: number;
  readonly sentShare: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  bytes: fc.integer({ min: 0, max: 4 }).map((n) => n * 700),
  ahead: fc.integer({ min: 0, max: 6000 }),
  /** Quarters of a microsecond since the one before. */
  quarters: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3000 })),
  isMarked: fc.boolean(),
  rttUs: fc.oneof(fc.double({ min: 3, max: 9, noNaN: true }), fc.integer({ min: 10, max: 900 })),
  load: fc.double({ min: 0, max: 3, noNaN: true }),
  queueBytes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200_000 })),
  sentShare: fc.double({ min: 0, max: 1, noNaN: true }),
});

type Seen = Acknowledgement & { readonly isMarked: boolean; readonly rtt: number; load: number };

/** The acknowledgements of the steps: sequences and the clock only grow. */
function acknowledgements(steps: readonly Step[]): Seen[] {
  let [ackSequence, nextSequence, now, sent] = [0, 0, 0, 0];
  return steps.map(({ bytes, ahead, quarters, isMarked, rttUs, load, ...hop }) => {
    ackSequence += bytes;
    nextSequence = Math.max(nextSequence, ackSequence + ahead);
    now += (quarters * US) / 4;
    sent += Math.round((hop.sentShare * quarters * 250 * R) / 8e9);
    const record = { timestamp: now / 1000, txBytes: sent, queueBytes: hop.queueBytes };
    const other = { portId: 2, timestamp: now / 1000, queueBytes: 7, capacity: 4 * R };
    return {
      ...acknowledgement({ telemetry: [hopRecord(record), hopRecord(other)] }),
      ackSequence,
      nextSequence,
      now,
      isMarked,
      rtt: rttUs * US,
      load,
    };
  });
}

interface Model {
  onAck(ack: Seen): void;
  readonly rate?: number;
  readonly window?: number;
}

/** Both tell the same after each acknowledgement. */
function agree(name: AlgorithmName, modelled: () => Model, constants = {}): void {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const control = created(name, constants);
      const model = modelled();
      let acks = 0;
      for (const ack of acknowledgements(steps)) {
        control.onAck(ack);
        model.onAck(ack);
        if (model.rate !== undefined) close(control.pacingRate, model.rate);
        if (model.window !== undefined) close(control.windowBytes, model.window);
        expect(control.metrics()).toMatchObject({
          acksProcessed: ++acks,
          windowBytes: control.windowBytes,
          referenceWindowBytes: control.windowBytes,
          pacingRate: control.pacingRate,
        });
      }
    }),
    { numRuns: 200 },
  );
}

const close = (found: number, wanted: number): void =>
  expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-9 * Math.abs(wanted));

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** Tells if the first byte that was sent after the last time has arrived; the first time at once. */
function rounds() {
  let end: number | undefined;
  return ({ ackSequence, nextSequence }: Seen): 'first' | 'end' | 'within' => {
    if (end === undefined) {
      end = nextSequence;
      return 'first';
    }
    if (ackSequence <= end) return 'within';
    end = Math.max(end, nextSequence);
    return 'end';
  };
}

test('DCTCP: alpha filters the marked share of round trips, and halves it is at most', () => {
  agree('dctcp', () => {
    const roundOf = rounds();
    let [rate, alpha, acked, marked, held] = [R, 1, 0, 0, -1];
    return {
      get rate() {
        return rate;
      },
      get window() {
        return (BDP * rate) / R;
      },
      onAck(ack) {
        acked += 1;
        if (ack.isMarked) marked += 1;
        const round = roundOf(ack);
        if (round === 'end') {
          alpha += (marked / acked - alpha) / 16;
          acked = marked = 0;
        }
        if (ack.ackSequence > held) held = -1;
        if (held >= 0) return;
        if (ack.isMarked) {
          rate = within(rate * (1 - alpha / 2), R / 100, R);
          held = ack.nextSequence;
        } else if (round !== 'within') rate = within(rate + (8 * SEGMENT * 1e12) / T, R / 100, R);
      },
    };
  });
});

describe('TIMELY: by the gradient of round-trip times, once per round trip', () => {
  const timely = (): Model => {
    const roundOf = rounds();
    let [rate, last, difference, row] = [R, 0, 0, 0];
    return {
      get rate() {
        return rate;
      },
      onAck(ack) {
        const round = roundOf(ack);
        if (round === 'within') return;
        if (round === 'end') {
          difference = 0.125 * difference + 0.875 * (ack.rtt - last);
          const gradient = difference / (20 * US);
          const isLow = ack.rtt < 50 * US;
          const isHigh = ack.rtt > 500 * US;
          if (isLow || (!isHigh && gradient <= 0)) {
            rate = within(rate + (row < 5 ? 100e6 : 500e6), R / 100, R);
            row += 1;
          } else {
            const cut = isHigh ? 0.8 * (1 - (500 * US) / ack.rtt) : 0.8 * gradient;
            rate = within(rate * Math.max(0, 1 - cut), R / 100, R);
            row = 0;
          }
        }
        last = ack.rtt;
      },
    };
  };

  test('without a window', () => agree('timely', timely));
  test('with one', () =>
    agree('timely-window', () => {
      const model = timely();
      return {
        onAck: (ack) => model.onAck(ack),
        get window() {
          return (BDP * (model.rate ?? NaN)) / R;
        },
      };
    }));
});

test('Swift: a target delay that small windows raise, one cut per round trip', () => {
  agree('swift', () => {
    const most = (1.25 * BDP) / SEGMENT;
    let [cwnd, acked, cutAt, rtt] = [most, 0, -Infinity, T];
    return {
      get window() {
        return cwnd * SEGMENT;
      },
      get rate() {
        return cwnd >= 1 ? R : Math.min(R, (8e12 * SEGMENT * cwnd) / rtt);
      },
      onAck(ack) {
        const segments = (ack.ackSequence - acked) / SEGMENT;
        acked = ack.ackSequence;
        rtt = ack.rtt;
        const alpha = 1 / (1 / Math.sqrt(0.1) - 1 / Math.sqrt(100));
        const scaling = within(alpha / Math.sqrt(cwnd) - alpha / Math.sqrt(100), 0, 1);
        const target = T * (1.25 + scaling);
        if (rtt < target) cwnd += cwnd >= 1 ? segments / cwnd : segments;
        else if (ack.now - cutAt >= rtt) {
          cutAt = ack.now;
          cwnd *= 1 - Math.min(0.5, 0.8 * ((rtt - target) / rtt));
        }
        cwnd = within(cwnd, 0.001, most);
      },
    };
  });
});

test('theta-PowerTCP: power by round-trip times, the window once per round trip', () => {
  agree('theta-powertcp', () => {
    const roundOf = rounds();
    let [cwnd, power] = [BDP, 1];
    let last: { rtt: number; at: number } | undefined;
    return {
      get window() {
        return cwnd;
      },
      get rate() {
        return (8e12 * cwnd) / T;
      },
      onAck({ rtt, now, ...ack }) {
        const interval = now - (last?.at ?? now);
        if (last !== undefined && interval > 0) {
          const sample = (Math.max(0, (rtt - last.rtt) / interval + 1) * rtt) / T;
          const weight = Math.min(1, interval / T);
          power = Math.max(Number.MIN_VALUE, power * (1 - weight) + sample * weight);
        }
        if (last === undefined || interval > 0) last = { rtt, at: now };
        if (roundOf({ rtt, now, ...ack }) !== 'end') return;
        cwnd = within(0.9 * (cwnd / power + BDP / 100) + 0.1 * cwnd, BDP / 1000, BDP);
      },
    };
  });
});

test('PowerTCP: power of the bottleneck, the window with each acknowledgement', () => {
  agree('powertcp', () => {
    let [cwnd, old, power, end] = [BDP, BDP, 1, NaN];
    let last: Seen | undefined;
    return {
      get window() {
        return cwnd;
      },
      onAck(ack) {
        const before = last;
        last = ack;
        const samples = ack.telemetry.map((hop, i) => {
          const was = before?.telemetry[i];
          const ns = was === undefined ? 0 : hop.timestamp - was.timestamp;
          if (was === undefined || ns <= 0) return undefined;
          const b = hop.capacity / 8e9;
          const current = (hop.queueBytes - was.queueBytes + hop.txBytes - was.txBytes) / ns;
          const voltage = hop.queueBytes + (b * T) / 1000;
          const sample = (Math.max(0, current) * voltage) / ((b * b * T) / 1000);
          return { sample, weight: Math.min(1, (1000 * ns) / T) };
        });
        const [first, second] = samples;
        if (first === undefined || second === undefined) {
          if (Number.isNaN(end)) end = ack.nextSequence;
          return;
        }
        const { sample, weight } = second.sample > first.sample ? second : first;
        power = Math.max(Number.MIN_VALUE, power * (1 - weight) + sample * weight);
        cwnd = within(0.9 * (old / power + BDP / 100) + 0.1 * cwnd, BDP / 1000, BDP);
        if (ack.ackSequence <= end) return;
        end = Math.max(end, ack.nextSequence);
        old = cwnd;
      },
    };
  });
});

describe('HPCC-PINT: the load of one byte', () => {
  const pint = (maxStage: number) => (): Model => {
    const roundOf = rounds();
    let [rate, reference, stage] = [R, R, 0];
    return {
      get rate() {
        return rate;
      },
      get window() {
        return (BDP * rate) / R;
      },
      onAck(ack) {
        const round = roundOf(ack);
        if (round === 'first') return;
        const isCut = ack.load >= 0.95 || stage >= maxStage;
        const base = isCut ? (reference * 0.95) / Math.max(ack.load, Number.MIN_VALUE) : reference;
        rate = within(base + 50e6, R / 100, R);
        if (round === 'within') return;
        reference = rate;
        stage = isCut ? 0 : stage + 1;
      },
    };
  };

  test.each([0, 2])('with %i stages', (maxStage) =>
    agree('hpcc-pint', pint(maxStage), { maxStage }),
  );
});

test('HPCC: the rate form with the constants of its paper', () => {
  agree('hpcc', () => {
    const form = new HpccRateForm({
      baseRttNs: T / 1000,
      windowBytesMax: BDP,
      linkRate: R,
      rateMin: R / 100,
      additiveIncrease: 50e6,
      targetUtilization: 0.95,
      maxStage: 0,
      maxHops: 8,
    });
    return {
      onAck: (ack) => void form.onAck(ack),
      get rate() {
        return within(form.rate, R / 100, R);
      },
    };
  });
});

describe('DCQCN: three clocks, tick by tick', () => {
  /** Alpha each us, a decrease each 4 us, an increase 300 us after the last of either. */
  const dcqcn = (): Model => {
    let [rate, target, alpha, stage] = [R, R, 1, 0];
    let [marksAlpha, marksDecrease] = [false, false];
    let [alphaAt, decreaseAt, increaseAt] = [Infinity, Infinity, Infinity];
    const tickAlpha = () => {
      alpha = (1 - 1 / 256) * alpha + (marksAlpha ? 1 / 256 : 0);
      marksAlpha = false;
      alphaAt += US;
    };
    const tickDecrease = () => {
      const at = decreaseAt;
      decreaseAt += 4 * US;
      if (!marksDecrease) return;
      if (stage > 0) target = rate;
      rate = within(rate * (1 - alpha / 2), R / 100, R);
      [stage, marksDecrease, increaseAt] = [0, false, at + 300 * US];
    };
    const tickIncrease = () => {
      increaseAt += 300 * US;
      if (stage >= 1) target = Math.min(R, target + (stage === 1 ? 20e6 : 200e6));
      rate = within((rate + target) / 2, R / 100, R);
      stage += 1;
    };
    return {
      get rate() {
        return rate;
      },
      onAck({ now, isMarked }) {
        for (;;) {
          const at = Math.min(alphaAt, decreaseAt, increaseAt);
          if (at > now) break;
          if (at === alphaAt) tickAlpha();
          else if (at === decreaseAt) tickDecrease();
          else tickIncrease();
        }
        if (!isMarked) return;
        marksDecrease = true;
        if (alphaAt !== Infinity) marksAlpha = true;
        else [alphaAt, decreaseAt] = [now + US, now + 4 * US];
      },
    };
  };

  test('with acknowledgements that echo marks', () => agree('dcqcn', dcqcn));

  test('woken when it says so, it is where acknowledgements alone would have brought it', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const [woken, told] = [created('dcqcn-window'), created('dcqcn-window')];
        for (const ack of acknowledgements(steps)) {
          for (let at = woken.wakeupAt ?? NaN; at < ack.now; at = woken.wakeupAt ?? NaN) {
            woken.onWakeup?.(at);
          }
          for (const control of [woken, told]) control.onAck(ack);
          close(woken.pacingRate, told.pacingRate);
          close(woken.windowBytes, (BDP * woken.pacingRate) / R);
        }
      }),
      { numRuns: 200 },
    );
  });
});
