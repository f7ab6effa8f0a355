import { Prober } from '../../../../host-agent/feedback/prober';
import { proves } from '../../../support/evidence';

const T = 4_000_000;

/** A prober that has sent its first two requests, at 0 and 1, and got both answers. */
function settled(): Prober {
  const prober = new Prober(T);
  prober.onSend(0);
  prober.onData();
  prober.onSend(1);
  prober.onResponse(1);
  prober.onResponse(2);
  return prober;
}

describe('the requests of a flow', () => {
  proves({ cases: ['probe-needs-data'] })('need data in flight', () => {
    expect(new Prober(T).isDue(0, false)).toBe(false);
    expect(new Prober(T).isDue(0, true)).toBe(true);
    expect(settled().isDue(5, false)).toBe(false);
  });

  it('are owed for data that was acknowledged while its interface was busy', () => {
    const prober = settled();
    prober.onData();
    expect(prober.isDue(T + 1, false)).toBe(true);
    prober.onSend(T + 1);
    expect(prober.isDue(T + 2, false)).toBe(false);
    prober.onResponse(3);
    expect(prober.isDue(3 * T, false)).toBe(false);
  });

  proves({ cases: ['probe-first-rtt'] })(
    'are two at first, the second after more data, so that the first round trip has a result',
    () => {
      const prober = new Prober(T);
      expect(prober.onSend(0)).toBe(1);
      expect(prober.isDue(1, true)).toBe(false);
      prober.onData();
      expect(prober.isDue(1, true)).toBe(true);
      expect(prober.onSend(1)).toBe(2);
      prober.onData();
      expect(prober.isDue(2, true)).toBe(false);
    },
  );

  proves({ cases: ['probe-one-outstanding'] })(
    'are one at a time from then on: the next leaves on the response',
    () => {
      const prober = settled();
      expect(prober.isDue(T + 1, true)).toBe(true);
      expect(prober.onSend(T + 1)).toBe(3);
      prober.onData();
      expect(prober.isDue(T + 2, true)).toBe(false);
      expect(prober.onResponse(3)).toBe('round');
      expect(prober.isDue(2 * T + 1, true)).toBe(true);
    },
  );

  it('are no more than one per T, however short the round trip', () => {
    const prober = settled();
    prober.onSend(T);
    prober.onResponse(3);
    prober.onData();
    expect(prober.deadline).toBe(2 * T);
    expect(prober.isDue(2 * T - 1, true)).toBe(false);
    expect(prober.isDue(2 * T, true)).toBe(true);
  });

  proves({ cases: ['probe-timeout'] })(
    'are repeated after three base RTTs, then six, up to 64 times three',
    () => {
      const prober = settled();
      let now = T;
      const waits = Array.from({ length: 9 }, () => {
        prober.onSend(now);
        const wait = prober.deadline - now;
        expect(prober.isDue(prober.deadline - 1, true)).toBe(false);
        now = prober.deadline;
        expect(prober.isDue(now, true)).toBe(true);
        return wait / T;
      });
      expect(waits).toEqual([3, 6, 12, 24, 48, 96, 192, 192, 192]);
      expect(prober.counters).toEqual({ probesSent: 11, probeTimeouts: 8 });
    },
  );
});

describe('responses', () => {
  proves({ cases: ['probe-late-response'] })('are used once each and in order', () => {
    const prober = settled();
    prober.onSend(T);
    expect(prober.onResponse(4)).toBe('unknown');
    expect(prober.onResponse(3)).toBe('round');
    expect(prober.onResponse(3)).toBe('late');
    expect(prober.onResponse(1)).toBe('late');
  });

  it('to a request that was repeated in vain count when they come, and end one round only', () => {
    const prober = settled();
    const first = prober.onSend(T);
    const second = prober.onSend(prober.deadline);
    expect(prober.onResponse(first)).toBe('round');
    // It was on its way already when the window changed.
    expect(prober.onResponse(second)).toBe('same-round');
    expect(prober.deadline).toBe(5 * T);
  });

  it('are waited for as long as the T allows that was measured meanwhile', () => {
    const prober = new Prober(T);
    prober.onBaseRtt(5 * T);
    prober.onSend(0);
    expect(prober.deadline).toBe(15 * T);
  });
});

describe('answers that name no request', () => {
  it('are for the oldest request that is waited for', () => {
    const prober = new Prober(T);
    prober.onSend(0);
    prober.onSend(1);
    expect(prober.onUnnamedResponse()).toBe('round');
    expect(prober.onUnnamedResponse()).toBe('same-round');
    expect(prober.onUnnamedResponse()).toBe('late');
  });

  it('are for no request that was given up', () => {
    const prober = new Prober(T);
    prober.onSend(0);
    prober.onSend(1);
    prober.onUnnamedResponse();
    prober.onSend(4 * T);
    expect(prober.onUnnamedResponse()).toBe('round');
    expect(prober.isDue(6 * T, true)).toBe(true);
    expect(prober.onUnnamedResponse()).toBe('late');
  });
});
