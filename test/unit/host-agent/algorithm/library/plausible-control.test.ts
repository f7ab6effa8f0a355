import type { HopRecord } from '../../../../../common/hop/hop';
import { algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import type { Algorithm } from '../../../../../host-agent/algorithm/library/algorithms';
import { customAlgorithm } from '../../../../../host-agent/algorithm/library/custom-algorithm';
import type {
  Acknowledgement,
  CongestionEvent,
} from '../../../../../host-agent/algorithm/congestion-control';
import type { PlausibilityLimits } from '../../../../../host-agent/algorithm/plausible-telemetry';
import { acknowledgement, hopRecord } from '../../../../support/telemetry';

const T = 4000;
const PS = 1000;
const LIMITS: PlausibilityLimits = {
  capacityMax: 400e9,
  queueBytesMax: 1e6,
  isKnownLink: (switchId) => switchId === 1,
};

function rig(algorithm: Algorithm, plausibilityLimits?: PlausibilityLimits) {
  const reasons: string[] = [];
  const sink = (event: CongestionEvent): void => {
    if (event.kind === 'telemetry-rejected') reasons.push(event.reason);
  };
  const tuning = plausibilityLimits === undefined ? {} : { plausibilityLimits };
  const environment = { linkRate: 100e9, baseRtt: T * PS, segmentBytes: 1000, sink };
  const control = algorithm.factory(tuning)(environment);
  let sequence = 0;
  const ack = (ns: number, given: Partial<HopRecord>, more: Partial<Acknowledgement> = {}) => {
    sequence += 1000;
    const sequences = { ackSequence: sequence, nextSequence: sequence + 40_000 };
    const telemetry = [hopRecord(given)];
    return control.onAck(acknowledgement({ ...sequences, telemetry, now: ns * PS, ...more }));
  };
  return { control, reasons, ack };
}

/** Record of a link that is `load` full, after `ns`. */
const honest = (ns: number, load = 0.5): Partial<HopRecord> => ({
  timestamp: ns,
  txBytes: Math.round(ns * 12.5 * load),
});

const LIES: readonly (readonly [string, Partial<HopRecord>, string])[] = [
  ['more bytes than the link carries', { timestamp: T, txBytes: 50_000 + 20_001 }, 'implausible'],
  ['another capacity of the same link', { timestamp: T, capacity: 40e9 }, 'implausible'],
  ['a clock ahead of our own', { timestamp: T + 10_000_001 }, 'implausible'],
  ['a queue deeper than any', { timestamp: T, queueBytes: 2e6 }, 'implausible'],
  ['an unknown switch', { timestamp: T, switchId: 9 }, 'unknown-link'],
  ['a clock that runs backwards', { timestamp: 2 ** 48 - 5 }, 'stale'],
];

describe.each(['hpccpp', 'hpccpp-lean', 'hpcc', 'powertcp'])('%s', (name) => {
  const algorithm = algorithmNamed(name);

  test.each(LIES)('refuses %s', (_what, given, reason) => {
    const { control, reasons, ack } = rig(algorithm, LIMITS);
    ack(0, {});
    const { windowBytes, pacingRate } = control;
    expect(ack(T, given)).toBe('ignored');
    expect(reasons).toEqual([reason]);
    expect(control).toMatchObject({ windowBytes, pacingRate });
    const [telemetryRejected, telemetryStale] = reason === 'stale' ? [0, 1] : [1, 0];
    expect(control.metrics()).toMatchObject({ telemetryRejected, telemetryStale });
  });

  test('believes what is true, and all without limits', () => {
    const limited = rig(algorithm, LIMITS);
    for (let i = 0; i < 20; i++) limited.ack(i * T, honest(i * T));
    expect(limited.reasons).toEqual([]);
    expect(limited.control.metrics().telemetryRejected).toBe(0);
    const { ack } = rig(algorithm);
    ack(0, {});
    expect(ack(T, { timestamp: T, txBytes: 1e9 })).not.toBe('ignored');
  });

  test('refuses what contradicts the first record, for 16 base RTTs and no longer', () => {
    const { ack } = rig(algorithm, LIMITS);
    ack(0, { timestamp: 5e12, txBytes: 7e12 });
    for (const ns of [T, 8 * T, 16 * T]) expect(ack(ns, honest(ns))).toBe('ignored');
    expect(ack(16 * T + 1, honest(16 * T + 1))).not.toBe('ignored');
    expect(ack(17 * T, honest(17 * T))).not.toBe('ignored');
  });

  test('hears of another path, whose counters are compared with its own', () => {
    const { ack, reasons } = rig(algorithm, LIMITS);
    ack(0, {});
    ack(T, { timestamp: T, portId: 2, txBytes: 7e12 });
    ack(2 * T, { timestamp: 2 * T, portId: 2, txBytes: 7e12 + 25_000 });
    expect(reasons).toEqual([]);
    expect(ack(3 * T, { timestamp: 3 * T, portId: 2, txBytes: 8e12 })).toBe('ignored');
  });
});

describe('an algorithm that does not judge by itself', () => {
  const heard: Acknowledgement[] = [];
  const calls: unknown[] = [];
  const own = customAlgorithm('./mine.mjs', {
    create: () => ({
      windowBytes: 50_000,
      pacingRate: 50e9,
      wakeupAt: 77,
      onAck: (ack: Acknowledgement) => heard.push(ack),
      onLoss: (loss: unknown) => calls.push(['loss', loss]),
      onCongestionNotification: (now: number) => calls.push(['cnp', now]),
      onWakeup: (now: number) => calls.push(['wakeup', now]),
      onIdleRestart: (now: number) => calls.push(['idle', now]),
      onBaseRtt: (baseRtt: number) => calls.push(['base RTT', baseRtt]),
    }),
  });
  beforeEach(() => {
    heard.length = 0;
    calls.length = 0;
  });

  test('hears all of an acknowledgement but the telemetry that is refused', () => {
    const { ack } = rig(own, LIMITS);
    const more = { isMarked: true, rtt: 5_000_000 };
    ack(0, { switchId: 9 }, more);
    expect(heard).toMatchObject([{ ackSequence: 1000, telemetry: [], now: 0, ...more }]);
    ack(T, honest(T), more);
    expect(heard[1]).toMatchObject({
      ackSequence: 2000,
      telemetry: [hopRecord(honest(T))],
      ...more,
    });
  });

  test('hears of everything else', () => {
    const { control } = rig(own, LIMITS);
    const loss = { kind: 'gap', sequence: 0, nextSequence: 1, now: 8 } as const;
    control.onLoss?.(loss);
    control.onCongestionNotification?.(9);
    control.onWakeup?.(10);
    control.onIdleRestart(11);
    control.onBaseRtt?.(12);
    expect(calls).toEqual([
      ['loss', loss],
      ['cnp', 9],
      ['wakeup', 10],
      ['idle', 11],
      ['base RTT', 12],
    ]);
    expect(control.wakeupAt).toBe(77);
    expect([control.windowBytes, control.pacingRate]).toEqual([50_000, 50e9]);
    const load = { ratio: 1, intervalNs: 1, ackSequence: 1, nextSequence: 2, now: 13 };
    expect(control.onLoad(load)).toBe('ignored');
  });

  test('is compared with nothing after it was idle', () => {
    const { control, ack, reasons } = rig(own, LIMITS);
    ack(0, { txBytes: 7e12 });
    control.onIdleRestart(T * PS);
    ack(T, honest(T));
    expect(reasons).toEqual([]);
  });

  test('waits for contradictions by the base RTT that was measured', () => {
    const { control, ack, reasons } = rig(own, LIMITS);
    control.onBaseRtt?.(2 * T * PS);
    ack(0, { timestamp: 5e12, txBytes: 7e12 });
    ack(32 * T, honest(32 * T));
    expect(reasons).toEqual(['stale']);
    ack(32 * T + 1, honest(32 * T + 1));
    expect(reasons).toEqual(['stale']);
  });

  test('hears of no path that is longer than packets have room for', () => {
    const path = (hops: number) => Array.from({ length: hops }, (_, i) => hopRecord({ portId: i }));
    const heardOf = (tuning: object, hops: number) => {
      heard.length = 0;
      const control = own.factory({ plausibilityLimits: {}, ...tuning })({
        linkRate: 100e9,
        baseRtt: T * PS,
      });
      control.onAck(acknowledgement({ telemetry: path(hops) }));
      return heard[0]?.telemetry.length;
    };
    expect([heardOf({}, 8), heardOf({}, 9)]).toEqual([8, 0]);
    expect([heardOf({ maxHops: 9 }, 9), heardOf({ maxHops: 9 }, 10)]).toEqual([9, 0]);
  });

  test('is left alone about records that are missing, or bring nothing new', () => {
    const { ack, reasons } = rig(own, LIMITS);
    ack(0, {});
    ack(1, {});
    ack(2, {}, { telemetry: [] });
    ack(3, {}, { isIncomplete: true });
    expect(reasons).toEqual([]);
    expect(heard.map(({ telemetry }) => telemetry.length)).toEqual([1, 1, 0, 1]);
  });
});
