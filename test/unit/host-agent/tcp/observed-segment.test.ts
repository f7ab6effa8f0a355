import fc from 'fast-check';
import { connectionId, connectionName, hasPort } from '../../../../host-agent/tcp/connection-key';
import { OBSERVED_BYTES, observeSegment } from '../../../../host-agent/tcp/observed-segment';
import { beginsConnection, SegmentTracker } from '../../../../host-agent/tcp/segment-tracker';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { arrivingSegment } from '../../../support/simulated-tcp';
import type { SegmentFields } from '../../../support/simulated-tcp';

const KEY = { localAddress: 0x0a00_0001, localPort: 40_000, remoteAddress: 2, remotePort: 5201 };
const ACK = 0x10;
const SYN = 0x02;
const FIN = 0x01;
const RST = 0x04;

const segment = (fields: Omit<SegmentFields, 'key'>) => {
  const observed = observeSegment(arrivingSegment({ key: KEY, ...fields }));
  if (observed === undefined) throw new Error('no segment');
  return observed;
};

describe('an arriving segment', () => {
  test('is read from its headers alone', () => {
    const frame = arrivingSegment({
      key: KEY,
      sequence: 5,
      acknowledgement: 6,
      payloadBytes: 1448,
    });
    expect(frame.length).toBeLessThan(OBSERVED_BYTES);
    expect(observeSegment(frame)).toEqual({
      key: KEY,
      sequence: 5,
      acknowledgement: 6,
      flags: ACK,
      payloadBytes: 1448,
      localMac: 0x11,
      remoteMac: 0x22,
      windowScale: undefined,
    });
  });

  test.each([
    [SYN | ACK, [{ kind: 3, data: Uint8Array.of(7) }], 7],
    [SYN | ACK, [{ kind: 3, data: Uint8Array.of(15) }], 14],
    [SYN, [], 0],
    [ACK, [{ kind: 3, data: Uint8Array.of(7) }], undefined],
  ])('with flags %d and options %j tells the window scale %s', (flags, options, scale) => {
    expect(segment({ flags, options }).windowScale).toBe(scale);
  });

  test('of random bytes is passed over without harm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const result = observeSegment(bytes);
        return result === undefined || result.payloadBytes >= 0;
      }),
    );
  });
});

describe('what is known of a connection', () => {
  test('counts what the peer acknowledges, across the wrap of sequence numbers', () => {
    const tracker = new SegmentTracker(0, segment({ acknowledgement: 0xffff_ff00 }));
    tracker.observe(1, segment({ acknowledgement: 0xffff_ff80 }));
    tracker.observe(2, segment({ acknowledgement: 0x80 }));
    expect(tracker.acknowledgedBytes).toBe(0x180);
    expect(tracker.unacknowledged).toBe(0x80);
    expect(tracker.progressAt).toBe(2);
  });

  test('does not go back with an old or repeated acknowledgement', () => {
    const tracker = new SegmentTracker(0, segment({ acknowledgement: 100 }));
    tracker.observe(1, segment({ acknowledgement: 300 }));
    tracker.observe(2, segment({ acknowledgement: 200 }));
    tracker.observe(3, segment({ acknowledgement: 300 }));
    expect([tracker.acknowledgedBytes, tracker.progressAt]).toEqual([200, 1]);
  });

  test('begins to count with the first acknowledgement of a connection that the peer opens', () => {
    const tracker = new SegmentTracker(0, segment({ flags: SYN, acknowledgement: 0, sequence: 9 }));
    tracker.observe(1, segment({ acknowledgement: 4_000_000_000, sequence: 10 }));
    expect(tracker.acknowledgedBytes).toBe(0);
    tracker.observe(2, segment({ acknowledgement: 4_000_000_010, sequence: 10 }));
    expect(tracker.acknowledgedBytes).toBe(10);
    expect(tracker.expected).toBe(10);
  });

  test('expects what follows the newest segment; SYN and FIN count as a byte', () => {
    const tracker = new SegmentTracker(0, segment({ flags: SYN | ACK, sequence: 0xffff_ffff }));
    expect(tracker.expected).toBe(0);
    tracker.observe(1, segment({ sequence: 0, payloadBytes: 100 }));
    tracker.observe(2, segment({ sequence: 0, payloadBytes: 50 }));
    expect(tracker.expected).toBe(100);
    tracker.observe(3, segment({ sequence: 100, flags: FIN | ACK }));
    expect(tracker.expected).toBe(101);
  });

  test.each([
    [ACK, 10 * PS_PER_SECOND],
    [FIN | ACK, PS_PER_SECOND],
    [RST, -Infinity],
  ])('dies so long after a segment with flags %d: %d ps', (flags, patience) => {
    const tracker = new SegmentTracker(0, segment({}));
    tracker.observe(5, segment({ flags }));
    expect(tracker.deadAt).toBe(5 + patience);
  });

  test('begins anew with a SYN', () => {
    expect(beginsConnection(segment({ flags: SYN | ACK }))).toBe(true);
    expect(beginsConnection(segment({ flags: ACK }))).toBe(false);
  });
});

describe('the name of a connection', () => {
  test('begins with the own end', () => {
    expect(connectionName(KEY)).toBe('10.0.0.1:40000-0.0.0.2:5201');
  });

  test('and its id differ whenever a part differs', () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    const key = fc.record({
      localAddress: part,
      localPort: part,
      remoteAddress: part,
      remotePort: part,
    });
    fc.assert(
      fc.property(key, key, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        return isSame === (connectionId(one) === connectionId(other));
      }),
    );
  });

  test.each([
    [[], true],
    [[5201], true],
    [[40_000], true],
    [[80, 443], false],
  ])('ports %j are of interest: %s', (ports, isOfInterest) => {
    expect(hasPort(KEY, new Set(ports))).toBe(isOfInterest);
  });
});
