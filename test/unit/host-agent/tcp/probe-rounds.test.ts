import { milliseconds } from '../../../../common/units/units';
import type { Duration, Instant } from '../../../../common/units/units';
import { ProbeRounds } from '../../../../host-agent/tcp/probe-rounds';
import { SteadyProbes } from '../../../../host-agent/tcp/steady-probes';

const at = (ms: number): Instant & Duration => milliseconds(ms) as number;

describe('rounds of two probes', () => {
  test('mark what shall be measured, and measure it a gap later', () => {
    const rounds = new ProbeRounds(at(1), 0);
    rounds.setGap(at(10));
    expect(rounds.nextAt).toBe(at(1));
    const mark = rounds.onSend(at(1));
    expect(rounds.onResponse(at(3), mark)).toEqual({ role: 'mark', rtt: at(2), sentAt: at(1) });
    expect(rounds.nextAt).toBe(at(11));
    const measure = rounds.onSend(at(11));
    expect(rounds.onResponse(at(14), measure)).toMatchObject({ role: 'measure', rtt: at(3) });
    // The next round begins at once.
    expect(rounds.nextAt).toBe(at(14));
  });

  test('go on at once when the round trip is longer than the gap', () => {
    const rounds = new ProbeRounds(0, 0);
    rounds.setGap(at(1));
    rounds.onResponse(at(20), rounds.onSend(0));
    expect(rounds.nextAt).toBe(at(20));
  });

  test('have one probe on its way, and tell for how long', () => {
    const rounds = new ProbeRounds(0, 0);
    expect(rounds.waitingFor(at(5))).toBe(0);
    const id = rounds.onSend(at(5));
    expect(rounds.waitingFor(at(12))).toBe(at(7));
    expect(rounds.onResponse(at(13), id + 1)).toBeUndefined();
    expect(rounds.onResponse(at(13), id)).toBeDefined();
    expect(rounds.onResponse(at(13), id)).toBeUndefined();
    expect(rounds.waitingFor(at(14))).toBe(0);
  });

  test('ask again, later and later, with another number', () => {
    const rounds = new ProbeRounds(0, 0);
    const times: number[] = [];
    let now = 0;
    let first = 0;
    for (let i = 0; i < 6; i++) {
      const id = rounds.onSend(now);
      if (i === 0) first = id;
      times.push((rounds.nextAt - now) / at(1));
      now = rounds.nextAt;
    }
    expect(times).toEqual([200, 400, 800, 1600, 1600, 1600]);
    expect([rounds.unanswered, rounds.lost, rounds.sent]).toEqual([5, 5, 6]);
    expect(rounds.onResponse(now, first)).toBeUndefined();
  });

  test('wait a few round trips once they are known, and at least 50 ms', () => {
    const rounds = new ProbeRounds(0, 0);
    rounds.onResponse(at(1), rounds.onSend(0));
    rounds.onSend(at(1));
    expect(rounds.nextAt - at(1)).toBe(at(50));
    const slow = new ProbeRounds(0, 0);
    slow.onResponse(at(30), slow.onSend(0));
    slow.onSend(at(30));
    expect(slow.nextAt - at(30)).toBe(at(120));
  });

  test('begin anew after silence', () => {
    const rounds = new ProbeRounds(0, 0);
    rounds.onResponse(at(1), rounds.onSend(0));
    const lost = rounds.onSend(at(2));
    rounds.restart(at(500));
    expect(rounds.nextAt).toBe(at(500));
    expect(rounds.onResponse(at(501), lost)).toBeUndefined();
    expect(rounds.onResponse(at(503), rounds.onSend(at(502)))?.role).toBe('mark');
  });

  test('number probes below 32768', () => {
    const rounds = new ProbeRounds(0, 0x7ffe);
    expect(rounds.onSend(0)).toBe(0x7fff);
    expect(rounds.onSend(at(999))).toBe(0);
  });
});

describe('steady probes', () => {
  test('leave at their interval, whatever comes back', () => {
    const probes = new SteadyProbes(0, 0, at(5));
    const ids = [0, 5, 10].map((time) => probes.onSend(at(time)));
    expect(probes.nextAt).toBe(at(15));
    expect(probes.onResponse(at(40), ids[1] ?? -1)?.rtt).toBe(at(35));
    expect(probes.onResponse(at(41), ids[0] ?? -1)?.rtt).toBe(at(41));
    expect(probes.onResponse(at(41), ids[0] ?? -1)).toBeUndefined();
    expect(probes.waitingFor()).toBe(0);
  });

  test('count as lost after two seconds', () => {
    const probes = new SteadyProbes(0, 0, at(5));
    probes.onSend(0);
    probes.onSend(at(5));
    probes.onSend(at(2000));
    expect([probes.lost, probes.unanswered]).toEqual([1, 1]);
    probes.restart(at(3000));
    expect([probes.unanswered, probes.nextAt]).toEqual([0, at(3000)]);
  });
});
