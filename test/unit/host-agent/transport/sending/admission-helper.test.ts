import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import { ADMISSION_PROBES_FROM } from '../../../../../host-agent/path/admission';
import { AdmissionGate } from '../../../../../host-agent/transport/sending/admission-gate';
import type { HelpedFlow } from '../../../../../host-agent/transport/sending/flow-helper';
import { hopRecord } from '../../../../support/telemetry';

const T = 5_000_000;
const WITHIN = 100 * T;

/** A flow that notes what the gate does with it, and its gate. */
function rig() {
  const calls: string[] = [];
  const flow = {
    config: {
      feedback: { algorithmAt: 'sender' },
      measureBaseRtt: undefined,
      linkRate: 100e9,
      baseRtt: T,
      intHopLimit: 8,
      address: 1,
    },
    spec: { id: 1 },
    sender: {
      drain: () => calls.push('drain'),
      resume: (now: number) => calls.push(`resume at ${now}`),
    },
  } as unknown as HelpedFlow;
  const gate = new AdmissionGate(flow, { within: WITHIN });
  /** The answer to request `id`, of a path whose link is idle. */
  const answer = (now: number, id: number) => {
    const telemetry = [hopRecord({ timestamp: now / 1000, txBytes: 0 })];
    return gate.handle(now, { kind: 'response', id, sample: { ...NO_TELEMETRY, telemetry } });
  };
  return { gate, calls, answer };
}

describe('the helper that holds a flow back', () => {
  test('asks nothing before it begins, nor after it has let the flow go', () => {
    const { gate, calls, answer } = rig();
    expect([gate.probeAt(), gate.deadline]).toEqual([Infinity, Infinity]);
    expect(() => gate.takeProbe(0)).toThrow('only a flow that waits asks');
    gate.start(0);
    expect([gate.probeAt(), gate.deadline, calls]).toEqual([0, WITHIN, ['drain']]);
    for (const now of [0, 4 * T]) expect(answer(now + T, gate.takeProbe(now).id)).toBe('taken');
    expect(calls).toEqual(['drain', `resume at ${5 * T}`]);
    expect([gate.probeAt(), gate.deadline]).toEqual([Infinity, Infinity]);
    expect(() => gate.takeProbe(6 * T)).toThrow('only a flow that waits asks');
  });

  test('takes an answer that comes when the flow has gone, and does nothing', () => {
    const { gate, calls, answer } = rig();
    gate.start(0);
    const { id } = gate.takeProbe(0);
    gate.handleWakeup(WITHIN - 1);
    expect(calls).toEqual(['drain']);
    gate.handleWakeup(WITHIN);
    expect(answer(WITHIN + 1, id)).toBe('taken');
    expect(calls).toEqual(['drain', `resume at ${WITHIN}`]);
  });

  test('leaves to others what is no answer to a request of its own', () => {
    const { gate, answer } = rig();
    gate.start(0);
    gate.takeProbe(0);
    expect(answer(T, ADMISSION_PROBES_FROM - 1)).toBeUndefined();
    for (const kind of ['mark', 'ended'] as const) {
      expect(gate.handle(T, { kind })).toBeUndefined();
    }
    expect(answer(T, ADMISSION_PROBES_FROM)).toBe('taken');
  });

  test('counts its requests', () => {
    const { gate } = rig();
    gate.start(0);
    expect(gate.counters).toEqual({ probesSent: 0, probeTimeouts: 0 });
    for (const now of [0, 3 * T]) gate.takeProbe(now);
    expect(gate.counters).toEqual({ probesSent: 2, probeTimeouts: 0 });
  });
});
