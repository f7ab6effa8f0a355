import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import type { HpccppWindowOptions } from '../../../../host-agent/algorithm/window-form';
import { acknowledgement, hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

/** T = 4000 ns and 12.5 bytes/ns make W_init = 50,000 bytes. */
const T = 4000;
const W_INIT = 50_000;
const PS = 1000;
const OPTIONS: HpccppWindowOptions = {
  linkRate: 100e9,
  baseRtt: T * PS,
  additiveIncreaseBytes: 100,
  maxStage: 0,
};

const at = { ackSequence: 0, nextSequence: 0, now: 0 };

describe('a round that the transport ends', () => {
  const link = (ns: number, load: number) =>
    hopRecord({ timestamp: ns, txBytes: ns * 12.5 * load });
  const acks = (endsRound: boolean | undefined) => {
    const control = new HpccppWindow(OPTIONS);
    control.onAck(acknowledgement({ telemetry: [link(0, 1)], nextSequence: 5000 }));
    const telemetry = [link(T, 1)];
    const kind = control.onAck(
      acknowledgement({ telemetry, ackSequence: 5001, endsRound, now: T * PS }),
    );
    return { kind, commits: control.metrics().commits };
  };

  proves({ cases: ['round-by-transport'] }).each([
    [undefined, 'update', 1],
    [true, 'update', 1],
    [false, 'fast', 0],
  ])('is what it says if it says anything: %s', (endsRound, kind, commits) => {
    expect(acks(endsRound)).toEqual({ kind, commits });
  });

  proves({ cases: ['probe-one-commit'] })(
    'ends with each sample of a probe, whatever the sequences',
    () => {
      const control = new HpccppWindow(OPTIONS);
      for (let sample = 0; sample <= 5; sample++) {
        const telemetry = [link(sample * T, 1)];
        control.onAck(acknowledgement({ telemetry, endsRound: true, now: sample * T * PS }));
      }
      expect(control.metrics().commits).toBe(5);
      expect(control.windowBytes).toBe(control.metrics().referenceWindowBytes);
    },
  );
});

describe('a round that lasts T at least', () => {
  /** One acknowledgement in each quarter of T for 3 T, of what was sent after the one before. */
  const commitsAt = (options: Partial<HpccppWindowOptions>, retunedT = T): number[] => {
    const control = new HpccppWindow({ ...OPTIONS, ...options });
    if (retunedT !== T) control.onBaseRtt(retunedT * PS);
    const committed: number[] = [];
    for (let quarter = 0; quarter <= 12; quarter++) {
      const ns = (quarter * T) / 4;
      const telemetry = [hopRecord({ timestamp: ns, txBytes: ns * 12.5 })];
      const sequences = { ackSequence: 1001 * quarter, nextSequence: 1001 * quarter + 1000 };
      const ack = acknowledgement({ telemetry, ...sequences, now: ns * PS });
      if (control.onAck(ack) === 'update') committed.push(quarter);
    }
    return committed;
  };

  test('is the time between changes of Wc, and otherwise the sequences decide alone', () => {
    expect(commitsAt({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(commitsAt({ roundsLastT: false })).toHaveLength(12);
    expect(commitsAt({ roundsLastT: true })).toEqual([1, 5, 9]);
  });

  test('follows a T that is measured', () => {
    expect(commitsAt({ roundsLastT: true }, T / 2)).toEqual([1, 3, 5, 7, 9, 11]);
  });
});

describe('a report of load without links', () => {
  proves({ cases: ['hidden-links'] })('moves U and W as the links would', () => {
    const [shown, hidden] = [new HpccppWindow(OPTIONS), new HpccppWindow(OPTIONS)];
    const queue = { queueBytes: 25_000 };
    shown.onAck(acknowledgement({ telemetry: [hopRecord(queue)] }));
    const later = hopRecord({ timestamp: T / 2, txBytes: 25_000, ...queue });
    shown.onAck(acknowledgement({ telemetry: [later], ackSequence: 1 }));
    expect(hidden.onLoad({ ...at, ratio: 0, intervalNs: 0 })).toBe('fast');
    expect(hidden.onLoad({ ...at, ackSequence: 1, ratio: 1.5, intervalNs: T / 2 })).toBe('update');
    expect(hidden.metrics().normalizedInflight).toBe(shown.metrics().normalizedInflight);
    expect(hidden.windowBytes).toBe(shown.windowBytes);
  });

  it('replaces U when its interval is longer than T, and never extrapolates', () => {
    const control = new HpccppWindow(OPTIONS);
    control.onLoad({ ...at, ratio: 3, intervalNs: 10 * T });
    expect(control.metrics().normalizedInflight).toBe(3);
  });
});

describe('a path that is exactly as full as it shall be', () => {
  it('is full: the round is multiplicative, which changes nothing but the stage', () => {
    const options = { ...OPTIONS, maxStage: 5, targetUtilization: 0.5 };
    const control = new HpccppWindow(options);
    control.onLoad({ ...at, ratio: 0.25, intervalNs: T });
    control.onLoad({ ...at, ackSequence: 1, ratio: 0.25, intervalNs: T });
    expect(control.metrics().incStage).toBe(1);
    control.onLoad({ ...at, ackSequence: 1, ratio: 0.5, intervalNs: T });
    expect(control.metrics()).toMatchObject({ normalizedInflight: 0.5, incStage: 0 });
  });
});

describe('the step for counted flows', () => {
  /** W after one more round on a path whose bottleneck is at `position`, from W = W_init. */
  function windowAfter(flows: number | undefined, u: number, position: number): number {
    const control = new HpccppWindow(OPTIONS);
    const hops = (ns: number) =>
      [0, 1].map((i) =>
        hopRecord({ portId: i, timestamp: ns, txBytes: ns * 12.5 * (i === position ? u : 0.1) }),
      );
    if (flows !== undefined) control.onFlowCount(flows);
    for (const ns of [0, T]) {
      const ack = { telemetry: hops(ns), endsRound: true, now: ns * PS };
      control.onAck(acknowledgement(ack));
    }
    return control.windowBytes;
  }

  const target = 0.95;
  // W_ai = W_init * (1 - eta) / N.
  proves({ cases: ['counted-flows'] }).each([
    [undefined, 0.99, 100],
    [1, 0.99, W_INIT * 0.05],
    [4, 0.99, (W_INIT * 0.05) / 4],
    [1000, 0.99, (W_INIT * 0.05) / 1000],
    // Half a byte.
    [5000, 0.99, (W_INIT * 0.05) / 5000],
  ])('shares the headroom of the last link among %s flows', (flows, u, step) => {
    expect(windowAfter(flows, u, 1)).toBeCloseTo(Math.min(W_INIT, (W_INIT * target) / u + step), 6);
  });

  it('does not hold for a report of load, which does not say where', () => {
    const control = new HpccppWindow(OPTIONS);
    control.onFlowCount(4);
    const report = { ...at, ratio: 0.99, intervalNs: T };
    control.onLoad(report);
    const { referenceWindowBytes } = control.metrics();
    control.onLoad({ ...report, ackSequence: 1 });
    expect(control.windowBytes).toBeCloseTo((referenceWindowBytes * target) / 0.99 + 100, 6);
  });

  it('does not hold when another link is the fullest', () => {
    expect(windowAfter(4, 0.99, 0)).toBeCloseTo((W_INIT * target) / 0.99 + 100, 6);
  });

  it('is not larger than the configured one while the link has more than it can hold', () => {
    expect(windowAfter(4, 1.5, 1)).toBeCloseTo((W_INIT * target) / 1.5 + 100, 6);
    expect(windowAfter(1000, 1.5, 1)).toBeCloseTo((W_INIT * target) / 1.5 + 2.5, 6);
  });

  it('is not larger than that either while the link has just what it can hold', () => {
    const control = new HpccppWindow(OPTIONS);
    control.onFlowCount(4);
    for (const ns of [0, T]) {
      // A queue of one bandwidth-delay product and nothing else: U = 1 exactly.
      const telemetry = [hopRecord({ timestamp: ns, queueBytes: W_INIT })];
      control.onAck(acknowledgement({ telemetry, endsRound: true, now: ns * PS }));
    }
    expect(control.metrics().normalizedInflight).toBe(1);
    expect(control.windowBytes).toBeCloseTo(W_INIT * target + 100, 6);
  });

  it.each([
    ['before', (W_INIT * 2 * 0.05) / 4],
    ['after', (W_INIT * 2 * 0.05) / 4],
  ])('follows a T that is measured %s the count', (when, step) => {
    const control = new HpccppWindow(OPTIONS);
    if (when === 'after') control.onFlowCount(4);
    control.onBaseRtt(2 * T * PS);
    if (when === 'before') control.onFlowCount(4);
    for (const ns of [0, 2 * T]) {
      const telemetry = [hopRecord({ timestamp: ns, txBytes: ns * 12.5 * 0.99 })];
      control.onAck(acknowledgement({ telemetry, endsRound: true, now: ns * PS }));
    }
    const { normalizedInflight: U } = control.metrics();
    expect(U).toBeCloseTo(0.99, 9);
    expect(control.windowBytes).toBeCloseTo(
      Math.min(2 * W_INIT, (2 * W_INIT * target) / 0.99 + step),
      6,
    );
  });

  it('is the configured one when the target leaves no headroom', () => {
    const control = new HpccppWindow({ ...OPTIONS, targetUtilization: 1 });
    control.onFlowCount(4);
    for (const ns of [0, T]) {
      const telemetry = [hopRecord({ timestamp: ns, txBytes: ns * 12.5 * 2 })];
      control.onAck(acknowledgement({ telemetry, endsRound: true, now: ns * PS }));
    }
    expect(control.windowBytes).toBeCloseTo(W_INIT / 2 + 100, 6);
  });
});
