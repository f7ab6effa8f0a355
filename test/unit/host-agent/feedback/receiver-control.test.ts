import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { NO_TELEMETRY } from '../../../../host-agent/carrier/congestion-sample';
import { ReceiverControl } from '../../../../host-agent/feedback/receiver-control';
import { roundClock } from '../../../../host-agent/feedback/round-clock';
import type { RoundEnd } from '../../../../host-agent/feedback/round-clock';
import { hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

const T_NS = 4000;
const T = T_NS * 1000;
const WINDOW_MAX = 50_000;

function rig(end: RoundEnd = 'epoch') {
  const control = new HpccppWindow({ linkRate: 100e9, baseRtt: T, additiveIncreaseBytes: 100 });
  const receiver = new ReceiverControl(control, T, roundClock(end, T));
  let ns = 0;
  let txBytes = 0;
  /** A packet `dt` ns after the last one, from a link that was fully used, with `given` besides. */
  const data = (
    dt: number,
    given: Partial<Parameters<ReceiverControl['onData']>[1]> & {
      queueBytes?: number;
      isIncomplete?: boolean;
    } = {},
  ) => {
    ns += dt;
    txBytes += dt * 12.5;
    const { queueBytes = 0, isIncomplete = false, ...mark } = given;
    const telemetry = [hopRecord({ timestamp: ns, txBytes, queueBytes })];
    const sample = { kind: 'links', telemetry, isIncomplete } as const;
    const whole = { sample, epochBits: 0, isUrgent: false, dsFlags: 0, ...mark };
    return receiver.onData(ns * 1000, whole, 0);
  };
  return { control, receiver, data };
}

describe('the algorithm at the receiver', () => {
  proves({ cases: ['receiver-first'], lines: '28-34' })(
    'answers the first telemetry at once with the window that the flow has',
    () => {
      const { data } = rig();
      expect(data(0)).toEqual({ epoch: 1, flows: 0, windowBytes: WINDOW_MAX });
    },
  );

  test("grants no window before telemetry has come: it would be nobody's", () => {
    const { data } = rig();
    const none = { sample: NO_TELEMETRY, isUrgent: true };
    expect(data(0, none)).toBeUndefined();
    expect(data(10 * T_NS, none)).toBeUndefined();
    expect(data(T_NS)?.epoch).toBe(1);
    expect(data(T_NS, none)?.epoch).toBe(2);
  });

  proves({ cases: ['receiver-epochs'] })(
    'ends a round with the first packet of the epoch that ended the one before',
    () => {
      const { control, data } = rig();
      data(0);
      const told = data(T_NS, { epochBits: 1 });
      expect(told?.epoch).toBe(2);
      expect(told?.windowBytes).toBe(control.metrics().referenceWindowBytes);
      const before = control.metrics().commits;
      for (const epochBits of [1, 1, 1]) expect(data(100, { epochBits })).toBeUndefined();
      expect(control.metrics().commits).toBe(before);
      expect(data(100, { epochBits: 2 })?.epoch).toBe(3);
      expect(control.metrics().commits).toBe(before + 1);
    },
  );

  proves({ cases: ['receiver-refreshes-l'] })(
    'refreshes L in both branches, so that U is that of the last interval',
    () => {
      const { control, data } = rig();
      data(0);
      data(T_NS, { epochBits: 1, queueBytes: 50_000 });
      data(T_NS, { epochBits: 1, queueBytes: 50_000 });
      // Both ends of the interval have a queue of one bandwidth-delay product: u = 1 + 1.
      expect(control.metrics().normalizedInflight).toBeCloseTo(2);
      data(T_NS, { epochBits: 1, queueBytes: 0 });
      expect(control.metrics().normalizedInflight).toBeCloseTo(1);
    },
  );

  proves({ cases: ['receiver-sharp-decrease'] })(
    'tells a sharp decrease within the round, without ending it',
    () => {
      const { control, data } = rig();
      data(0);
      data(T_NS, { epochBits: 1 });
      const { commits } = control.metrics();
      // The smaller queue of both ends is still 0.
      expect(data(500, { epochBits: 1, queueBytes: 400_000 })).toBeUndefined();
      const told = data(500, { epochBits: 1, queueBytes: 400_000 });
      expect(told?.epoch).toBe(3);
      expect(told?.windowBytes).toBeLessThan(WINDOW_MAX / 1.5);
      expect(control.metrics().commits).toBe(commits);
    },
  );

  it('tells no more than seven decreases in one round, so that its epochs stay in order', () => {
    const { data } = rig();
    data(0);
    data(T_NS, { epochBits: 1 });
    const epochs: number[] = [];
    for (let packet = 1; packet < 40; packet++) {
      const told = data(50, { epochBits: 1, queueBytes: packet * 400_000 });
      if (told !== undefined) epochs.push(told.epoch);
    }
    expect(epochs).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  proves({ cases: ['receiver-lost-window'] })(
    'tells the window again, under its number, when the sender seems not to have heard',
    () => {
      const { data } = rig();
      data(0);
      data(100, { epochBits: 0 });
      const told = data(100, { epochBits: 1 });
      expect(told).toBeUndefined();
      expect(data(2 * T_NS)).toBeUndefined();
      expect(data(T_NS)?.epoch).toBe(2);
      expect(data(5 * T_NS)).toBeUndefined();
      expect(data(T_NS)?.epoch).toBe(2);
    },
  );

  proves({ cases: ['receiver-gap-and-end'] })('tells on a gap and at the end of the flow', () => {
    const { data } = rig();
    data(0);
    data(T_NS, { epochBits: 1 });
    expect(data(100, { epochBits: 1, isUrgent: true })?.epoch).toBe(3);
  });

  it('hears switches: a sharp decrease is told at once, and no round ends', () => {
    const { control, receiver, data } = rig();
    data(0, { queueBytes: 100_000 });
    data(T_NS, { epochBits: 1, queueBytes: 100_000 });
    const { commits } = control.metrics();
    const newer = hopRecord({ timestamp: T_NS + 3000, txBytes: 87_500, queueBytes: 400_000 });
    const now = 2 * T;
    expect(receiver.onSwitchResponse(now, hopRecord({ timestamp: 5 }), 0)).toBeUndefined();
    expect(receiver.onSwitchResponse(now, { ...newer, portId: 9 }, 0)).toBeUndefined();
    const before = control.windowBytes;
    const told = receiver.onSwitchResponse(now, newer, 0);
    expect(told).toEqual({ epoch: 3, flows: 0, windowBytes: control.windowBytes });
    expect(control.windowBytes).toBeLessThan(0.9 * before);
    expect(control.metrics().commits).toBe(commits);
  });

  it('counts epochs beyond four bits', () => {
    const { data } = rig();
    let epoch = data(0)?.epoch ?? 0;
    for (let round = 0; round < 40; round++) {
      const told = data(T_NS, { epochBits: epoch & 0xf });
      expect(told?.epoch).toBe(epoch + 1);
      epoch++;
    }
  });
});

describe('rounds that end by T (line 29)', () => {
  it('end with the first packet later than T after the last one, whatever the sender marks', () => {
    const { control, data } = rig('timer');
    data(0);
    expect(data(T_NS, { epochBits: 0 })?.epoch).toBe(2);
    const { commits } = control.metrics();
    // Marks of the window that ended the round would end the next one at once.
    expect(data(T_NS - 100, { epochBits: 2 })).toBeUndefined();
    expect(data(100, { epochBits: 2 })).toBeUndefined();
    expect(control.metrics().commits).toBe(commits);
    expect(data(1, { epochBits: 0 })?.epoch).toBe(3);
    expect(control.metrics().commits).toBe(commits + 1);
  });

  it('end for a sender that marks nothing, which marks never do', () => {
    const commits = (end: RoundEnd): number => {
      const { control, data } = rig(end);
      for (let packet = 0; packet < 40; packet++) data(T_NS / 2, { epochBits: 0 });
      return control.metrics().commits;
    };
    expect(commits('timer')).toBeGreaterThan(10);
    expect(commits('epoch')).toBeLessThan(2);
  });
});
