import type { HopRecord } from '../../../../common/hop/hop';
import { LastTelemetry } from '../../../../host-agent/algorithm/last-telemetry';
import type { PathLoadParameters } from '../../../../host-agent/algorithm/path-load';
import { PathLoad } from '../../../../host-agent/algorithm/path-load';
import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

/** T = 4000 ns at 100 Gb/s: W_init = 50,000 bytes, 12.5 bytes/ns. */
const T = 4000;
const PARAMETERS: PathLoadParameters = { T, nicRate: 100e9, Winit: 50_000 };

function measured(
  before: Partial<HopRecord>[],
  after: Partial<HopRecord>[],
  given: Partial<PathLoadParameters> = {},
): PathLoad {
  const L = new LastTelemetry(8);
  const named = (hops: Partial<HopRecord>[]): HopRecord[] =>
    hops.map((hop, i) => hopRecord({ portId: i, ...hop }));
  L.follow({ telemetry: named(before), now: 0 });
  const load = new PathLoad({ ...PARAMETERS, ...given });
  const telemetry = named(after);
  L.follow({ telemetry, now: 0 });
  load.measure(telemetry, L);
  return load;
}

describe('the load of a path', () => {
  proves({ cases: ['winner-tau'] })(
    'is that of its bottleneck, with that link and its interval',
    () => {
      const load = measured(
        [{}, {}, {}],
        [
          { timestamp: 1000, txBytes: 6250 },
          { timestamp: 2000, txBytes: 20_000 },
          { timestamp: 3000, txBytes: 9000 },
        ],
      );
      expect(load.u).toBeCloseTo(0.8, 12);
      expect([load.tau, load.link]).toEqual([2000, 1]);
    },
  );

  proves({ cases: ['all-links-idle'] })('is nothing, of no link, when every link was idle', () => {
    const load = measured([{}, {}], [{ timestamp: 1000 }, { timestamp: 1000 }]);
    expect([load.u, load.tau, load.link]).toEqual([0, 0, -1]);
  });

  proves({ cases: ['smaller-queue'] }).each([
    ['the smaller queue', 25_000, undefined, 1],
    ['the latest queue of half of T', 25_000, 0.5, 1.5],
    ['the smaller queue of less', 24_999, 0.5, 1],
    ['the latest queue', 12_500, 0, 1.25],
  ])('counts %s as it is told', (_which, queueBytes, latestQueueFrom, u) => {
    const after = { timestamp: T, txBytes: 50_000, queueBytes };
    const limit = latestQueueFrom === undefined ? {} : { latestQueueFrom };
    expect(measured([{}], [after], limit).u).toBeCloseTo(u, 12);
    const falling = { ...after, queueBytes: 0 };
    expect(measured([{ queueBytes }], [falling], limit).u).toBeCloseTo(1, 12);
  });

  it('has queues that are long by the time that they take on their link', () => {
    const before = [{ queueBytes: 10 }, { queueBytes: 20, capacity: 10e9 }];
    const after = before.map((hop) => ({ ...hop, timestamp: T, queueBytes: 2500 }));
    // Half of T on the slower link, a twentieth on the other, whose burst is not counted.
    expect(measured(before, after, { latestQueueFrom: 0.5 }).u).toBeCloseTo(0.5, 12);
    expect(measured(before, after, { latestQueueFrom: 0.51 }).u).toBeCloseTo(0.004, 12);
  });
});

describe('a queue that shares its port', () => {
  const sharedQueue = { share: 0.25 };

  proves({ cases: ['queue-share'] })('is measured against its guaranteed share of the link', () => {
    // 12,500 bytes in 4000 ns are 25 Gb/s, which is all of a quarter.
    const after = { timestamp: T, txBytes: 12_500 };
    expect(measured([{}], [after], { sharedQueue }).u).toBeCloseTo(1, 12);
    // A quarter of the link has a quarter of the bandwidth-delay product.
    const queued = { ...after, queueBytes: 12_500 };
    expect(measured([{ queueBytes: 12_500 }], [queued], { sharedQueue }).u).toBeCloseTo(2, 12);
  });

  it('counts bytes and not the time that packets wait where no queue shares the port', () => {
    const before = { queueBytes: 25_000, sojournNs: T };
    const after = { ...before, timestamp: T, txBytes: 0 };
    expect(measured([before], [after], {}).u).toBeCloseTo(0.5, 12);
  });

  proves({ cases: ['sojourn-time'] })(
    'counts the time that packets wait, where telemetry has it, and the smaller of two',
    () => {
      const after = { timestamp: T, txBytes: 12_500, queueBytes: 1e6 };
      const load = (before: number, now: number): number =>
        measured([{ sojournNs: before }], [{ ...after, sojournNs: now }], { sharedQueue }).u;
      // A wait of T is one bandwidth-delay product, whatever the length of the queue.
      expect(load(T, T)).toBeCloseTo(2, 12);
      expect(load(T, 2 * T)).toBeCloseTo(2, 12);
      expect(load(2 * T, T / 2)).toBeCloseTo(1.5, 12);
    },
  );

  it.each([
    [T / 2, 1.5],
    [T / 2 - 1, 1.25],
  ])('may count the latest time of a long wait: %d ns after T/4', (sojournNs, u) => {
    const after = { timestamp: T, txBytes: 12_500, sojournNs };
    const parameters = { sharedQueue, latestQueueFrom: 0.5 };
    expect(measured([{ sojournNs: T / 4 }], [after], parameters).u).toBeCloseTo(u, 12);
  });

  it('has a share above 0 and at most 1', () => {
    const options = { linkRate: 100e9, baseRtt: T * 1000 };
    for (const queueShare of [0, 1.1, NaN]) {
      expect(() => new HpccppWindow({ ...options, queueShare })).toThrow('queueShare must be');
    }
  });
});
