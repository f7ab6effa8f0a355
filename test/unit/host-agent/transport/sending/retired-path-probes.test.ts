import { BASE_RTT_PROBES_FROM } from '../../../../../host-agent/path/base-rtt-prober';
import { RetiredPorts } from '../../../../../host-agent/path/entropy/retired-ports';
import { PATH_PROBES_FROM } from '../../../../../host-agent/path/path-selector';
import type { HelpedFlow } from '../../../../../host-agent/transport/sending/flow-helper';
import { RetiredPathProbes } from '../../../../../host-agent/transport/sending/retired-path-probes';

const T = 8_000_000;
const PORT = 65_535;

/** The helper of a flow, whose port is retired at 0. */
function rig() {
  const state = { isDrained: false };
  const restored: number[] = [];
  const retired = new RetiredPorts(T, (port) => restored.push(port));
  const probes = new RetiredPathProbes({ sender: state } as unknown as HelpedFlow, retired);
  retired.add(0, PORT);
  const answer = (id: number) => probes.handle(0, { kind: 'response', id, sample: undefined });
  return { state, restored, probes, answer };
}

describe('the helper that asks about retired paths', () => {
  test('asks over the port that led there, and takes the answer for good news', () => {
    const { restored, probes, answer } = rig();
    expect(probes.probeAt()).toBe(0);
    const { id, sourcePort } = probes.takeProbe(0);
    expect(sourcePort).toBe(PORT);
    expect(answer(id)).toBe('taken');
    expect(restored).toEqual([PORT]);
    expect(probes.probeAt()).toBe(Infinity);
    expect(probes.counters).toEqual({ probesSent: 1, probeTimeouts: 0 });
  });

  test('counts probes that are not answered before the next one over their port', () => {
    const { restored, probes, answer } = rig();
    const first = probes.takeProbe(0);
    const second = probes.takeProbe(probes.probeAt());
    expect(probes.counters).toEqual({ probesSent: 2, probeTimeouts: 1 });
    expect([answer(first.id), restored]).toEqual(['unrequested', []]);
    expect([answer(second.id), restored]).toEqual(['taken', [PORT]]);
    expect(answer(second.id)).toBe('unrequested');
  });

  test('takes no answer that others have asked for, and asks no more of a flow that is done', () => {
    const { state, probes, answer } = rig();
    probes.takeProbe(0);
    expect(answer(PATH_PROBES_FROM - 1)).toBeUndefined();
    expect(answer(BASE_RTT_PROBES_FROM)).toBeUndefined();
    expect(probes.handle(0, { kind: 'mark' })).toBeUndefined();
    state.isDrained = true;
    expect(probes.probeAt()).toBe(Infinity);
  });
});
