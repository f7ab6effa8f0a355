import { microseconds, PS_PER_SECOND } from '../../../../../common/units/units';
import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import type { CongestionSample } from '../../../../../host-agent/carrier/congestion-sample';
import { checkBaseRtt } from '../../../../../host-agent/path/base-rtt';
import { BASE_RTT_PROBES_FROM, BaseRtts } from '../../../../../host-agent/path/base-rtt-prober';
import { BaseRttProbes } from '../../../../../host-agent/transport/sending/base-rtt-probes';
import type {
  FlowEvent,
  HelpedFlow,
} from '../../../../../host-agent/transport/sending/flow-helper';
import { hopRecord } from '../../../../support/telemetry';

const GUESS = microseconds(50);
const RTT = 4_000_000;
/** Time that a full frame of 1074 bytes takes longer than a probe of 74, on each link of the path. */
const LONGER = 1000 * 80;

/** A flow that notes what its helper does with it, and the helper. */
function rig(window = PS_PER_SECOND) {
  const state = { isDrained: true };
  const calls: string[] = [];
  const told: FlowEvent[] = [];
  const flow = {
    config: { baseRtt: GUESS },
    spec: { destinationAddress: 2 },
    sender: {
      get isDrained() {
        return state.isDrained;
      },
      drain: () => calls.push('drain'),
      resume: (now: number) => calls.push(`resume at ${now}`),
      handleBaseRtt: (now: number, T: number) => calls.push(`T of ${T} at ${now}`),
    },
    notify: (_: number, event: FlowEvent) => void told.push(event),
  } as unknown as HelpedFlow;
  const frames = { linkRate: 100e9, dataLength: 1074, probeLength: 74, hopLength: 32 };
  const known = new BaseRtts(checkBaseRtt({ samples: 2, window }), frames);
  const probes = new BaseRttProbes(flow, known);
  /** A probe leaves at `now`, and its answer comes one round trip later. */
  const ask = (now: number, rtt: number, sample?: CongestionSample) => {
    const { id } = probes.takeProbe(now);
    return probes.handle(now + rtt, { kind: 'response', id, sample });
  };
  return { probes, state, calls, told, ask };
}

const over = (switchId: number): CongestionSample => ({
  ...NO_TELEMETRY,
  telemetry: [hopRecord({ switchId })],
});

describe('the helper that measures T', () => {
  test('holds the data back until T is known, tells it to all, and lets the data go once', () => {
    const { probes, calls, told, ask } = rig();
    expect(probes.probeAt()).toBe(Infinity);
    probes.start(0);
    expect([probes.probeAt(), calls]).toEqual([0, ['drain']]);
    expect(ask(0, RTT)).toBe('taken');
    expect([calls, told]).toEqual([['drain'], []]);
    expect(ask(RTT, RTT)).toBe('taken');
    const T = RTT + LONGER;
    expect(calls).toEqual(['drain', `T of ${T} at ${2 * RTT}`, `resume at ${2 * RTT}`]);
    expect(told).toEqual([{ kind: 'base-rtt', T }]);
    // Shorter: known better, and no reason to begin once more.
    expect(ask(3 * RTT, RTT / 2)).toBe('taken');
    expect(calls.slice(3)).toEqual([`T of ${RTT / 2 + LONGER} at ${3.5 * RTT}`]);
    expect(told).toHaveLength(2);
  });

  test('asks nothing before it begins', () => {
    const { probes } = rig();
    expect(() => probes.takeProbe(0)).toThrow('a flow that has not begun probes nothing');
    const early = { kind: 'response', id: BASE_RTT_PROBES_FROM, sample: undefined } as const;
    expect(probes.handle(0, early)).toBe('taken');
    expect(probes.handle(0, { kind: 'moved', path: 1 })).toBeUndefined();
    expect(probes.probeAt()).toBe(Infinity);
  });

  test('looks after a T that is known only while data is in flight', () => {
    const { probes, state, ask } = rig();
    probes.start(0);
    for (const now of [0, RTT]) ask(now, RTT);
    expect(probes.probeAt()).toBe(Infinity);
    state.isDrained = false;
    const next = probes.probeAt();
    expect(next).toBeGreaterThan(2 * RTT);
    expect(next).toBeLessThan(Infinity);
  });

  test('asks at once after the flow has moved', () => {
    const { probes, state, ask } = rig();
    probes.start(0);
    for (const now of [0, RTT]) ask(now, RTT);
    state.isDrained = false;
    expect(probes.handle(5 * RTT, { kind: 'moved', path: 1 })).toBeUndefined();
    expect(probes.probeAt()).toBe(5 * RTT);
  });

  test('measures each path by itself, by the links that answers name', () => {
    const { probes, state, calls, ask } = rig();
    state.isDrained = false;
    probes.start(0);
    for (const now of [0, RTT]) ask(now, RTT, over(1));
    expect(calls).toContain(`T of ${RTT + 2 * LONGER} at ${2 * RTT}`);
    ask(2 * RTT, 3 * RTT, over(2));
    // One answer over another link is not enough: the next probe leaves when it comes.
    expect([calls.length, probes.probeAt()]).toEqual([3, 5 * RTT]);
    ask(5 * RTT, 3 * RTT, over(2));
    expect(calls.at(-1)).toBe(`T of ${3 * RTT + 2 * LONGER} at ${8 * RTT}`);
  });

  test('takes answers without links for those of one path, as of a receiver that hides them', () => {
    const { calls, ask, probes } = rig();
    probes.start(0);
    ask(0, RTT, { kind: 'load', ratio: 0.5, intervalNs: 4000 });
    ask(RTT, RTT);
    expect(calls).toContain(`T of ${RTT + LONGER} at ${2 * RTT}`);
  });

  test('forgets the shortest round trip of a path without links after a while', () => {
    const { calls, ask, probes } = rig(10 * RTT);
    probes.start(0);
    for (const now of [0, RTT]) ask(now, RTT);
    for (let now = 2 * RTT; now < 30 * RTT; now += 2 * RTT) ask(now, 2 * RTT);
    expect(calls.at(-1)).toContain(`T of ${2 * RTT + LONGER} at`);
  });

  test('hears only answers to probes of its own', () => {
    const { probes, calls } = rig();
    probes.start(0);
    probes.takeProbe(0);
    const answer = (id: number) =>
      probes.handle(RTT, { kind: 'response', id, sample: NO_TELEMETRY });
    expect(answer(BASE_RTT_PROBES_FROM - 1)).toBeUndefined();
    expect(answer(BASE_RTT_PROBES_FROM + 1)).toBe('taken');
    for (const kind of ['mark', 'ended'] as const) {
      expect(probes.handle(RTT, { kind })).toBeUndefined();
    }
    expect(probes.probeAt()).toBe(3 * GUESS);
    expect(calls).toEqual(['drain']);
  });
});
