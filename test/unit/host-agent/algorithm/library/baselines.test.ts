import { algorithmNamed, ALGORITHMS } from '../../../../../host-agent/algorithm/library/algorithms';
import type { AlgorithmName } from '../../../../../host-agent/algorithm/library/algorithms';
import type { Acknowledgement } from '../../../../../host-agent/algorithm/congestion-control';
import { acknowledgement } from '../../../../support/telemetry';

const T = 4_160_000;
const US = 1_000_000;
const link = { linkRate: 100e9, baseRtt: T, segmentBytes: 1000 };
const create = (name: AlgorithmName, constants = {}) =>
  algorithmNamed(name).factory({ constants })(link);
const ack = (given: Partial<Acknowledgement>) => acknowledgement({ telemetry: [], ...given });

describe('DCQCN', () => {
  test('halves its rate 4 us after the first mark, and goes half the way back 300 us later', () => {
    const control = create('dcqcn');
    control.onAck(ack({ isMarked: true, now: 10 * US }));
    expect([control.pacingRate, control.wakeupAt]).toEqual([100e9, 14 * US]);
    control.onWakeup?.(14 * US);
    // alpha has lost four intervals of 1/256 on its way from 1.
    expect(control.pacingRate).toBeCloseTo(100e9 * (1 - (255 / 256) ** 4 / 2), 0);
    expect(control.wakeupAt).toBe(314 * US);
    const low = control.pacingRate;
    control.onWakeup?.(314 * US);
    expect(control.pacingRate).toBeCloseTo((low + 100e9) / 2, 0);
  });

  test('takes a congestion notification packet for a mark', () => {
    const control = create('dcqcn');
    control.onCongestionNotification?.(10 * US);
    control.onWakeup?.(14 * US);
    expect(control.pacingRate).toBeLessThan(51e9);
  });

  test('has a window of its rate only where it is asked for', () => {
    expect(create('dcqcn').windowBytes).toBe(2 ** 30);
    expect(create('dcqcn-window').windowBytes).toBe(52_000);
  });
});

describe('DCTCP', () => {
  test('takes alpha / 2 away once per round trip, and adds a segment in others', () => {
    const control = create('dctcp');
    control.onAck(ack({ ackSequence: 1000, nextSequence: 50_000, isMarked: true }));
    expect(control.pacingRate).toBe(50e9);
    control.onAck(ack({ ackSequence: 2000, nextSequence: 51_000, isMarked: true }));
    expect(control.pacingRate).toBe(50e9);
    control.onAck(ack({ ackSequence: 51_000, nextSequence: 99_000 }));
    // 8000 bits in 4.16 us.
    expect(control.pacingRate).toBeCloseTo(50e9 + 8000 / 4.16e-6, 0);
  });

  test('halves its rate for a loss, once', () => {
    const control = create('dctcp');
    const loss = { kind: 'gap', sequence: 0, nextSequence: 50_000, now: US } as const;
    control.onLoss?.(loss);
    control.onLoss?.(loss);
    expect(control.pacingRate).toBe(50e9);
  });
});

describe('TIMELY', () => {
  const rounds = (rttsUs: readonly number[]) => {
    const control = create('timely');
    rttsUs.forEach((rtt, i) => {
      const at = { ackSequence: 1000 * (i + 1), nextSequence: 1000 * (i + 1), now: i * US };
      control.onAck(ack({ ...at, rtt: rtt * US }));
    });
    return control.pacingRate;
  };

  test('slows down by the gradient between its thresholds', () => {
    // 0.875 * 10 us over 20 us is a gradient of 0.4375.
    expect(rounds([60, 70])).toBeCloseTo(100e9 * (1 - 0.8 * 0.4375), 0);
  });

  test('slows down above the upper threshold however the delay moves, and not below the lower', () => {
    expect(rounds([2000, 1000])).toBeCloseTo(100e9 * (1 - 0.8 * (1 - 0.5)), 0);
    expect(rounds([10, 40])).toBe(100e9);
  });
});

describe('Swift', () => {
  test('aims at a delay that small windows raise, and cuts at most by half', () => {
    const control = create('swift');
    const before = control.windowBytes;
    control.onAck(ack({ ackSequence: 1000, rtt: 100 * T, now: 100 * T }));
    expect(control.windowBytes).toBeCloseTo(before / 2, 6);
    control.onAck(ack({ ackSequence: 2000, rtt: 100 * T, now: 101 * T }));
    expect(control.windowBytes).toBeCloseTo(before / 2, 6);
    control.onAck(ack({ ackSequence: 3000, rtt: T, now: 102 * T }));
    expect(control.windowBytes).toBeGreaterThan(before / 2);
  });
});

describe('PowerTCP', () => {
  test('by round-trip times: power of a steady delay is that delay in base RTTs', () => {
    const control = create('theta-powertcp', { gamma: 1, expectedFlows: 1e12 });
    for (const i of [1, 2, 3]) {
      control.onAck(ack({ ackSequence: 1000 * i, nextSequence: 1000 * i, rtt: 2 * T, now: i * T }));
    }
    // Halved by the second and by the third acknowledgement.
    expect(control.windowBytes).toBeCloseTo(13_000, 3);
  });
});

describe('constants', () => {
  test.each(ALGORITHMS)('of %s: an unknown one is refused by name', (name) => {
    expect(() => create(name, { speed: 3 })).toThrow(/^\S+ has no constant 'speed'; it has: /);
  });

  const firstOf = (name: AlgorithmName) => Object.keys(algorithmNamed(name).constants)[0];
  const withConstants = ALGORITHMS.filter((name) => firstOf(name) !== undefined);
  test.each(withConstants)('of %s: one that is no number is refused by name', (name) => {
    const first = firstOf(name) ?? '';
    expect(() => create(name, { [first]: NaN })).toThrow(`${first} of `);
  });
});
