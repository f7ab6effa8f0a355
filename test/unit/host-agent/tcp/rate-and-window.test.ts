import fc from 'fast-check';
import { readUint16 } from '../../../../common/wire/bytes';
import { fillChecksum, segmentSumIsGood } from '../../../../common/wire/ip/checksum';
import { milliseconds } from '../../../../common/units/units';
import type { Instant } from '../../../../common/units/units';
import { ClassIds } from '../../../../host-agent/tcp/tc-commands';
import { longestQueue, PathMemory, queueingDelay } from '../../../../host-agent/tcp/path-memory';
import { slowestLink } from '../../../../host-agent/tcp/path-memory';
import { QueueStatistics } from '../../../../host-agent/tcp/queue-statistics';
import { RateGate } from '../../../../host-agent/tcp/rate-control';
import { windowField } from '../../../../host-agent/tcp/window-program';
import { lowerWindow } from '../../../support/lower-window';
import { arrivingSegment } from '../../../support/simulated-tcp';

const at = (ms: number): Instant => milliseconds(ms) as number;

describe('the gate of new rates', () => {
  test('lets changes of more than a hundredth through, once in an interval', () => {
    const gate = new RateGate(0, 10e6);
    const interval = milliseconds(10);
    expect(gate.admit(at(5), 20e6, interval)).toBe(false);
    expect(gate.admit(at(10), 10.1e6, interval)).toBe(false);
    expect(gate.admit(at(10), 10.2e6, interval)).toBe(true);
    expect(gate.admit(at(19), 5e6, interval)).toBe(false);
    expect(gate.admit(at(20), 5e6, interval)).toBe(true);
    expect(gate.rate).toBe(5e6);
  });

  test('bounds the number of changes, whatever rates are wanted', () => {
    const rates = fc.array(fc.double({ min: 1e3, max: 1e9, noNaN: true }), { maxLength: 200 });
    fc.assert(
      fc.property(rates, (wanted) => {
        const gate = new RateGate(0, 1e6);
        const changes = wanted.filter((rate, i) => gate.admit(at(i), rate, milliseconds(10)));
        return changes.length <= Math.floor(wanted.length / 10);
      }),
    );
  });
});

describe('the window that is let through', () => {
  test.each([
    [24_160, 0, 30_000],
    [24_160, 7, 235],
    [1, 0, 5841],
    [1, 14, 1],
    [1e9, 0, 65_535],
  ])('for W of %d bytes and scale %d is %d', (bytes, scale, field) => {
    expect(windowField(bytes, scale)).toBe(field);
  });

  test('is never closed, and never less than W', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.nat(14), (bytes, scale) => {
        const field = windowField(bytes, scale);
        return field >= 1 && (field * 2 ** scale >= bytes || field === 0xffff);
      }),
    );
  });

  test('replaces a larger one and leaves the checksum valid', () => {
    const key = { localAddress: 1, localPort: 2, remoteAddress: 3, remotePort: 4 };
    const segment = { ipOffset: 14, offset: 34, end: 54, protocol: 6 };
    const numbers = { sequence: fc.nat(), acknowledgement: fc.nat(), limit: fc.nat(0xffff) };
    fc.assert(
      fc.property(fc.record(numbers), ({ limit, ...fields }) => {
        const frame = arrivingSegment({ key, ...fields });
        fillChecksum(frame, segment, 50);
        const isLowered = lowerWindow(frame, limit);
        expect(isLowered).toBe(limit < 1000);
        expect(readUint16(frame, 48)).toBe(Math.min(limit, 1000));
        expect(segmentSumIsGood(frame, segment)).toBe(true);
      }),
    );
  });
});

describe('numbers of classes', () => {
  test('are distinct, as many as allowed, and freed ones come again last', () => {
    const ids = new ClassIds(3);
    expect([ids.take(), ids.take()]).toEqual([16, 17]);
    ids.free(16);
    expect([ids.take(), ids.take(), ids.take()]).toEqual([18, 16, undefined]);
    ids.free(17);
    expect(ids.take()).toBe(17);
  });
});

const HOP = {
  switchId: 1,
  portId: 1,
  queueBytes: 0,
  capacity: 100e6,
  timestamp: 0,
  timestampModulus: 2 ** 48,
  txBytes: 0,
  txBytesModulus: 2 ** 48,
};

describe('what is remembered of a path', () => {
  // 2500 bytes at 20 Mb/s last 1 ms.
  const hops = [HOP, { ...HOP, capacity: 20e6, queueBytes: 2500 }];

  test('are its slowest link, its longest queue, and how long its queues last', () => {
    expect([slowestLink(hops), longestQueue(hops)]).toEqual([20e6, 2500]);
    expect(queueingDelay(hops)).toBe(milliseconds(1));
  });

  test('is the shortest round trip less the queues, for a minute', () => {
    const paths = new PathMemory();
    expect(paths.recall(0, 9)).toBeUndefined();
    paths.learn(0, 9, { hops, rtt: milliseconds(5) });
    expect(paths.recall(1, 9)).toMatchObject({ capacity: 20e6, baseRtt: milliseconds(4) });
    paths.learn(at(1000), 9, { hops, rtt: milliseconds(4) });
    paths.learn(at(2000), 9, { hops, rtt: milliseconds(8) });
    expect(paths.recall(at(62_000), 9)?.baseRtt).toBe(milliseconds(3));
    expect(paths.recall(at(62_100), 9)).toBeUndefined();
  });

  test('is forgotten on demand', () => {
    const paths = new PathMemory();
    paths.learn(0, 9, { hops, rtt: 1 });
    paths.forget(9);
    expect(paths.recall(0, 9)).toBeUndefined();
  });
});

describe('statistics of queues', () => {
  test('are all zero without samples', () => {
    const zero = { samples: 0, min: 0, mean: 0, p50: 0, p99: 0, max: 0 };
    expect(new QueueStatistics().summary()).toEqual(zero);
  });

  test('have quantiles within 1.1 %', () => {
    const statistics = new QueueStatistics();
    for (let i = 1; i <= 1000; i++) statistics.add(i * 1000);
    const { samples, min, mean, p50, p99, max } = statistics.summary();
    expect([samples, min, mean, max]).toEqual([1000, 1000, 500_500, 1e6]);
    expect(Math.abs(p50 / 500_000 - 1)).toBeLessThan(0.011);
    expect(Math.abs(p99 / 990_000 - 1)).toBeLessThan(0.011);
  });

  test('know that queues were empty', () => {
    const statistics = new QueueStatistics();
    for (const value of [0, 0, 0, 512]) statistics.add(value);
    expect(statistics.summary()).toMatchObject({ min: 0, p50: 0, p99: 512, max: 512 });
  });
});
