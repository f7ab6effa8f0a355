import { algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import type { Acknowledgement } from '../../../../../host-agent/algorithm/congestion-control';
import { acknowledgement } from '../../../../support/telemetry';

const US = 1_000_000;
/** The reference path: no constant is scaled, and a bandwidth-delay product is 150 segments. */
const T = 12 * US;
const BDP = 150_000;
const SEGMENT = 1000;
const LINK = { linkRate: 100e9, baseRtt: T, segmentBytes: SEGMENT };
const TARGET = 0.75 * T;

const create = (constants = {}) => algorithmNamed('nscc').factory({ constants })(LINK);
type Control = ReturnType<typeof create>;
/** The window of the paper, of which the transport gets a segment less. */
const windowOf = ({ windowBytes }: Control): number => windowBytes + SEGMENT - 1;
const ack = (control: Control, given: Partial<Acknowledgement>) =>
  control.onAck(
    acknowledgement({ telemetry: [], arrivedBytes: SEGMENT, nextSequence: BDP, ...given }),
  );
/** Brings the window to about `bytes`, by single segments that are missing. */
const lowered = (control: Control, bytes: number): Control => {
  while (windowOf(control) > bytes) {
    control.onLoss?.({ kind: 'gap', sequence: 0, nextSequence: 1, now: 0 });
  }
  return control;
};

describe('NSCC', () => {
  test('begins with one and a half bandwidth-delay products, at line rate', () => {
    expect(windowOf(create())).toBe(1.5 * BDP);
    expect(create().pacingRate).toBe(100e9);
    expect(windowOf(create({ firstSegments: 50 }))).toBe(50 * SEGMENT);
  });

  test('adds alpha times what the delay leaves of its target, per window of bytes', () => {
    const control = lowered(create({ etaSegments: 0 }), 100_000);
    // Base RTT is learnt; then nine segments with 3 us of delay: the ninth makes the increase take effect.
    ack(control, { rtt: T, now: 1, arrivedBytes: 0 });
    for (let i = 0; i < 9; i++) ack(control, { rtt: T + 3 * US, now: 2 + i });
    // 4 segments * (9 - 3) us / 12 us * 9 segments / window.
    expect(windowOf(control)).toBeCloseTo(100_000 + (4000 * 0.5 * 9000) / 100_000, 6);
  });

  test('adds fi above the target, as long as nothing is marked', () => {
    const control = lowered(create({ etaSegments: 0 }), 100_000);
    ack(control, { rtt: T, now: 1, arrivedBytes: 0 });
    for (let i = 0; i < 9; i++) ack(control, { rtt: T + TARGET, now: 2 + i });
    expect(windowOf(control)).toBeCloseTo(100_000 + (5000 * 9000) / 100_000, 6);
  });

  test('does nothing for a mark below the target', () => {
    const control = lowered(create({ etaSegments: 0 }), 100_000);
    for (let i = 0; i < 9; i++) ack(control, { rtt: T + US, now: 1 + i, isMarked: true });
    expect(windowOf(control)).toBe(100_000);
  });

  test('takes the excess of the average delay away once per base RTT, above the target and with a mark', () => {
    const control = lowered(create({ etaSegments: 0, delayWeight: 1 }), 100_000);
    ack(control, { rtt: T, now: 1, arrivedBytes: 0 });
    ack(control, { rtt: T + 12 * US, now: 2, isMarked: true });
    // 1 - 0.8 * (12 - 9) / 12.
    expect(windowOf(control)).toBeCloseTo(80_000, 6);
    ack(control, { rtt: T + 12 * US, now: T, isMarked: true });
    expect(windowOf(control)).toBeCloseTo(80_000, 6);
    ack(control, { rtt: T + 1000 * US, now: T + 3, isMarked: true });
    // At most half, however long the delay.
    expect(windowOf(control)).toBeCloseTo(40_000, 6);
  });

  test('a long delay without a mark counts as a quarter of the base RTT in the average', () => {
    const control = lowered(create({ etaSegments: 0, fairSegments: 0, delayWeight: 1 }), 100_000);
    ack(control, { rtt: T, now: 1, arrivedBytes: 0 });
    ack(control, { rtt: T + 20 * US, now: 2 });
    // The average is 3 us now: a mark without a time of its own finds it below the target.
    ack(control, { rtt: undefined, now: 3, isMarked: true });
    expect(windowOf(control)).toBe(100_000);
  });

  test('grows fast once a window of bytes has met an empty path, until one does not', () => {
    const constants = { etaSegments: 0, proportionalSegments: 0 };
    const control = lowered(create(constants), 5000);
    for (let i = 0; i < 5; i++) ack(control, { rtt: T, now: 1 + i });
    expect(windowOf(control)).toBe(5000);
    ack(control, { rtt: T, now: 6 });
    ack(control, { rtt: T, now: 7 });
    expect(windowOf(control)).toBe(5500);
    ack(control, { rtt: T + 2 * US, now: 8 });
    ack(control, { rtt: T, now: 9 });
    expect(windowOf(control)).toBe(5500);
  });

  test('adds eta every T', () => {
    const control = lowered(create({ proportionalSegments: 0, fastShare: 0 }), 100_000);
    for (let i = 1; i <= 3; i++) ack(control, { rtt: T, now: i * (T + 1), arrivedBytes: 0 });
    expect(windowOf(control)).toBeCloseTo(100_000 + 3 * 150, 6);
  });

  const trim = (control: Control, now: number, inflight = 100_000): void =>
    control.onLoss?.({ kind: 'trim', sequence: 0, nextSequence: inflight, now });

  test('takes each trimmed segment away, and jumps to what has arrived when that is little', () => {
    const control = create();
    trim(control, 1);
    expect(windowOf(control)).toBe(1.5 * BDP - SEGMENT);
    for (let i = 0; i < 20; i++) ack(control, { rtt: T + US, now: 2 + i });
    trim(control, 1 + T + TARGET);
    expect(windowOf(control)).toBeGreaterThan(BDP);
    trim(control, 2 + T + TARGET);
    // Less than an eighth of the largest window has arrived: 20 segments.
    expect(windowOf(control)).toBe(20 * SEGMENT);
  });

  test('ignores marks and trims of what was in flight when it jumped', () => {
    const control = create();
    trim(control, 1, 3 * SEGMENT);
    for (let i = 0; i < 20; i++) ack(control, { rtt: T + US, now: 2 + i });
    trim(control, 2 + T + TARGET, 3 * SEGMENT);
    const low = windowOf(control);
    trim(control, 3 + T + TARGET, 2 * SEGMENT);
    trim(control, 4 + T + TARGET, SEGMENT);
    expect(windowOf(control)).toBe(low);
    trim(control, 5 + T + TARGET, SEGMENT);
    expect(windowOf(control)).toBe(low - SEGMENT);
  });

  test('does not jump where an eighth of the largest window has arrived', () => {
    const control = create();
    trim(control, 1);
    for (let i = 0; i < 40; i++) ack(control, { rtt: T + US, now: 2 + i });
    trim(control, 2 + T + TARGET);
    expect(windowOf(control)).toBeGreaterThan(BDP);
  });

  test('keeps a segment whatever is lost, and learns a shorter path', () => {
    const control = create();
    control.onLoss?.({ kind: 'timeout', sequence: 0, nextSequence: 10 * BDP, now: 1 });
    expect(control.windowBytes).toBe(1);
    const other = create();
    ack(other, { rtt: T / 2, now: 1 });
    expect(windowOf(other)).toBe(0.75 * BDP);
  });

  test('refuses constants that it has not', () => {
    expect(() => create({ rateMinShare: 0.1 })).toThrow("nscc has no constant 'rateMinShare'");
  });
});
