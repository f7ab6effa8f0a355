import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import { PATH_PROBES_FROM } from '../../../../../host-agent/path/path-selector';
import { TelemetryProbes } from '../../../../../host-agent/transport/sending/telemetry-probes';
import { hopRecord } from '../../../../support/telemetry';
import { LINK, rig } from './sender-rig';

const sample = { ...NO_TELEMETRY, telemetry: [hopRecord()] };

function probing() {
  const { control, sender } = rig({ collectEvery: 0 });
  const probes = new TelemetryProbes({ sender }, LINK.baseRtt);
  sender.takeSegment(0);
  expect(probes.probeAt(0)).toBe(0);
  const answer = (id: number, given?: typeof sample) =>
    probes.handle(1000, { kind: 'response', id, sample: given });
  return { control, sender, probes, answer };
}

describe('the helper that probes in place of the data', () => {
  test('says what has become of an answer', () => {
    const { probes, answer } = probing();
    const { id } = probes.takeProbe(0, 74);
    expect(answer(id, sample)).toBe('taken');
    expect(answer(id, sample)).toBe('late');
    expect(answer(id + 1, sample)).toBe('unrequested');
    expect(answer(PATH_PROBES_FROM - 1, sample)).toBe('unrequested');
  });

  test('leaves to others what it has not asked for', () => {
    const { control, probes, answer } = probing();
    probes.takeProbe(0, 74);
    expect(answer(PATH_PROBES_FROM, sample)).toBeUndefined();
    for (const kind of ['mark', 'ended'] as const) {
      expect(probes.handle(0, { kind })).toBeUndefined();
    }
    expect(control.acks).toEqual([]);
  });

  test('tells the algorithm what the answer brings, and where it brings nothing, that', () => {
    const { control, probes, answer } = probing();
    const first = probes.takeProbe(0, 74).id;
    answer(first, sample);
    answer(probes.takeProbe(LINK.baseRtt, 74).id);
    expect(control.acks.map(({ telemetry }) => telemetry)).toEqual([sample.telemetry, []]);
  });

  test('ends a round by the first answer to what left after the last one, not by each', () => {
    const { control, sender, probes, answer } = probing();
    const first = probes.takeProbe(0, 74).id;
    sender.takeSegment(100_000);
    // The first request gets company as soon as more data has followed.
    expect(probes.probeAt(100_000)).toBe(100_000);
    const second = probes.takeProbe(100_000, 74).id;
    answer(first, sample);
    answer(second, sample);
    expect(control.acks.map(({ endsRound }) => endsRound)).toEqual([true, false]);
  });

  test('waits in the T that was measured', () => {
    const { probes } = probing();
    expect(probes.handle(0, { kind: 'base-rtt', T: 3 * LINK.baseRtt })).toBeUndefined();
    probes.takeProbe(0, 74);
    expect(probes.probeAt(0)).toBe(3 * 3 * LINK.baseRtt);
  });
});
