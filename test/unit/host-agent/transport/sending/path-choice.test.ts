import { checkPathSelection, PATH_PROBES_FROM } from '../../../../../host-agent/path/path-selector';
import { BASE_RTT_PROBES_FROM } from '../../../../../host-agent/path/base-rtt-prober';
import { PathChoice } from '../../../../../host-agent/transport/sending/path-choice';
import type { HelpedFlow } from '../../../../../host-agent/transport/sending/flow-helper';
import { hopRecord } from '../../../../support/telemetry';

const T = 4_000_000;
const NS_PER_T = 4000;
const PLAN = checkPathSelection({ paths: 2 });

interface State {
  isDrained: boolean;
  isLeaving: boolean;
  metrics: { normalizedInflight: number; pacingRate: number };
}

/** A loaded flow that hears about its own path once per T, and of an idle one when it probes. */
function rig({ isMeasured = false, other = 11 } = {}) {
  const state: State = {
    isDrained: false,
    isLeaving: false,
    metrics: { normalizedInflight: 0.95, pacingRate: 40e9 },
  };
  const left: { now: number; path: number }[] = [];
  const flow = {
    config: {
      linkRate: 100e9,
      intHopLimit: 8,
      address: 0x0a000001,
      baseRtt: T,
      ...(isMeasured && { measureBaseRtt: {} }),
    },
    spec: { id: 1 },
    sender: {
      get isDrained() {
        return state.isDrained;
      },
      congestionControl: { metrics: () => state.metrics },
    },
    get isLeaving() {
      return state.isLeaving;
    },
    leaveFor: (now: number, path: number) => left.push({ now, path }),
  } as unknown as HelpedFlow;
  const choice = new PathChoice(flow, PLAN);
  const own = [1, 10].map((switchId) => hopRecord({ switchId }));
  const heard = { kind: 'links', telemetry: own, isIncomplete: false } as const;
  const probed: number[] = [];
  const answer = (now: number, id: number) => {
    const timestamp = (now / T) * NS_PER_T;
    // The first link is on both paths, and carries the flow itself.
    const first = hopRecord({ switchId: 1, timestamp, txBytes: timestamp * 12.5 * 0.4 });
    const telemetry = [first, hopRecord({ switchId: other, timestamp, txBytes: 0 })];
    const sample = { kind: 'links', telemetry, isIncomplete: false } as const;
    return choice.handle(now, { kind: 'response', id, sample });
  };
  const rtt = (n: number): void => {
    const now = n * T;
    choice.handleFeedback(now, heard);
    if (choice.probeAt() > now) return;
    const { path = -1, id } = choice.takeProbe(now);
    probed.push(path);
    expect(answer(now, id)).toBe('taken');
  };
  return { choice, state, left, probed, rtt, answer };
}

const until = (count: number, rtt: (n: number) => void): void => {
  for (let n = 0; n < count; n++) rtt(n);
};

describe('the helper that chooses paths', () => {
  test('probes the other path and leaves for it, once', () => {
    const { choice, left, probed, rtt } = rig();
    choice.start(0);
    until(60, rtt);
    expect(probed).toContain(1);
    expect(left[0]?.path).toBe(1);
  });

  test('probes nothing, and leaves for nothing, before T is known', () => {
    const { choice, left, probed, rtt } = rig({ isMeasured: true });
    choice.start(0);
    expect(choice.probeAt()).toBe(Infinity);
    expect(() => choice.takeProbe(0)).toThrow('once T is known');
    until(60, rtt);
    expect([left, probed]).toEqual([[], []]);
    expect(choice.handle(0, { kind: 'base-rtt', T })).toBeUndefined();
    expect(choice.probeAt()).toBe(0);
    until(60, rtt);
    expect(left[0]?.path).toBe(1);
  });

  test('waits in the T that was measured last', () => {
    const found = [T, 8 * T].map((measured) => {
      const { choice, left, rtt } = rig();
      choice.start(0);
      choice.handle(0, { kind: 'base-rtt', T: measured });
      until(300, rtt);
      return left[0]?.now ?? Infinity;
    });
    expect(found[1]).toBeGreaterThan(4 * (found[0] ?? Infinity));
  });

  test('probes no more once all bytes have arrived, and goes nowhere while the flow leaves', () => {
    const { choice, state, left, rtt } = rig();
    choice.start(0);
    state.isLeaving = true;
    until(60, rtt);
    expect(left).toEqual([]);
    state.isDrained = true;
    expect(choice.probeAt()).toBe(Infinity);
    state.isDrained = false;
    expect(choice.probeAt()).toBeLessThan(Infinity);
  });

  test('hears only of links: feedback that names none says nothing of the path', () => {
    const { choice, left } = rig();
    choice.start(0);
    choice.handleFeedback(0, undefined);
    choice.handleFeedback(0, { kind: 'load', ratio: 0.95, intervalNs: NS_PER_T });
    expect([left, choice.probeAt()]).toEqual([[], 0]);
  });

  test('tries another port where the next one leads over its own links', () => {
    const { choice, probed, rtt } = rig({ other: 10 });
    choice.start(0);
    until(60, rtt);
    expect(Math.max(...probed)).toBeGreaterThan(1);
    expect(choice.probeAt()).toBeGreaterThan(0);
  });

  test('takes an answer, and the news of a move, before T is known', () => {
    const { choice, answer } = rig({ isMeasured: true });
    choice.start(0);
    expect(answer(0, PATH_PROBES_FROM)).toBe('taken');
    expect(choice.handle(0, { kind: 'moved', path: 1 })).toBeUndefined();
    expect(choice.probeAt()).toBe(Infinity);
  });

  test('keeps what it knows when T changes', () => {
    const { choice } = rig();
    choice.start(0);
    choice.takeProbe(0);
    const next = choice.probeAt();
    expect(next).toBeGreaterThan(0);
    choice.handle(1, { kind: 'base-rtt', T: 2 * T });
    expect(choice.probeAt()).toBe(next);
  });

  test('stays after it moved', () => {
    const { choice, left, rtt } = rig();
    choice.start(0);
    let n = 0;
    for (; left.length === 0 && n < 100; n++) rtt(n);
    const { path = -1 } = left[0] ?? {};
    expect(choice.handle(n * T, { kind: 'moved', path })).toBeUndefined();
    const before = left.length;
    for (const end = n + 60; n < end; n++) rtt(n);
    expect(left).toHaveLength(before);
  });

  test('hears only answers to probes of its own', () => {
    const { choice, answer } = rig();
    choice.start(0);
    expect(answer(0, PATH_PROBES_FROM - 1)).toBeUndefined();
    expect(answer(0, PATH_PROBES_FROM)).toBe('taken');
    expect(answer(0, BASE_RTT_PROBES_FROM - 1)).toBe('taken');
    expect(answer(0, BASE_RTT_PROBES_FROM)).toBeUndefined();
    for (const kind of ['mark', 'ended'] as const) {
      expect(choice.handle(0, { kind })).toBeUndefined();
    }
  });
});
