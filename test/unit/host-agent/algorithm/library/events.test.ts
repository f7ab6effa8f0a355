import { algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import type { AlgorithmName } from '../../../../../host-agent/algorithm/library/algorithms';
import type {
  Acknowledgement,
  CongestionEvent,
} from '../../../../../host-agent/algorithm/congestion-control';
import { acknowledgement, hopRecord } from '../../../../support/telemetry';

const T = 4_160_000;
const US = 1_000_000;
const link = { linkRate: 100e9, baseRtt: T, segmentBytes: 1000 };
const create = (name: AlgorithmName, more: object = {}) =>
  algorithmNamed(name).factory({})({ ...link, ...more });
const ack = (given: Partial<Acknowledgement>) => acknowledgement({ telemetry: [], ...given });

/** A link that has sent `txBytes` by `ns`. */
const hop = (ns: number, txBytes: number, more = {}) =>
  hopRecord({ timestamp: ns, txBytes, ...more });

describe('what an algorithm is told besides acknowledgements', () => {
  test.each(['dctcp', 'dcqcn-window', 'timely-window', 'hpcc-pint'] as const)(
    '%s: a longer base RTT makes the window longer and leaves the rate alone',
    (name) => {
      const control = create(name);
      control.onBaseRtt?.(2 * T);
      expect([control.pacingRate, control.windowBytes]).toEqual([100e9, 104_000]);
    },
  );

  test.each(['powertcp', 'theta-powertcp'] as const)('%s: likewise', (name) => {
    const control = create(name);
    control.onBaseRtt?.(3 * T);
    expect(control.windowBytes).toBeCloseTo(156_000, 6);
    expect(control.pacingRate).toBeCloseTo(100e9, 0);
  });

  test('Swift: the window that it may grow to follows', () => {
    const control = create('swift');
    expect(control.windowBytes).toBe(65_000);
    control.onBaseRtt?.(T / 2);
    expect(control.windowBytes).toBe(32_500);
  });

  test('Swift: a gap halves once per round trip, a timeout leaves a thousandth of a segment', () => {
    const control = create('swift');
    const loss = { kind: 'gap', sequence: 0, nextSequence: 1, now: 10 * T } as const;
    control.onLoss?.(loss);
    control.onLoss?.({ ...loss, now: 10.9 * T });
    expect(control.windowBytes).toBe(32_500);
    control.onLoss?.({ ...loss, now: 11 * T });
    expect(control.windowBytes).toBe(16_250);
    control.onLoss?.({ ...loss, kind: 'timeout', now: 11 * T });
    expect(control.windowBytes).toBe(1);
    expect(control.pacingRate).toBeCloseTo((8 * 1e12) / T, 3);
  });

  test.each(['dctcp', 'swift', 'timely', 'powertcp', 'hpcc-pint'] as const)(
    '%s has no use for loads, counted flows or idle times',
    (name) => {
      const control = create(name);
      const before = control.metrics();
      expect(
        control.onLoad({ ratio: 9, intervalNs: 1000, ackSequence: 1, nextSequence: 2, now: 1 }),
      ).toBe('ignored');
      control.onFlowCount(7);
      control.onIdleRestart(1);
      expect(control.metrics()).toEqual(before);
    },
  );

  test('events and counters say what became of each acknowledgement', () => {
    const events: CongestionEvent[] = [];
    const control = create('dctcp', { sink: (event: CongestionEvent) => events.push(event) });
    control.onAck(ack({ ackSequence: 1000, nextSequence: 5000, now: US, isMarked: true }));
    control.onAck(ack({ ackSequence: 2000, nextSequence: 6000, now: 2 * US }));
    control.onAck(ack({ ackSequence: 6000, nextSequence: 9000, now: 3 * US }));
    expect(control.metrics()).toMatchObject({
      acksProcessed: 3,
      commits: 2,
      incStage: 0,
      normalizedInflight: 0,
      telemetryRejected: 0,
      telemetryStale: 0,
      pathChanges: 0,
    });
    expect(events.slice(0, 3)).toEqual([
      {
        kind: 'ack-processed',
        now: US,
        ackSequence: 1000,
        ackKind: 'update',
        normalizedInflight: 0,
      },
      {
        kind: 'window-updated',
        now: US,
        windowBytes: 26_000,
        pacingRate: 50e9,
        incStage: 0,
        referenceWindowBytes: 26_000,
      },
      {
        kind: 'ack-processed',
        now: 2 * US,
        ackSequence: 2000,
        ackKind: 'fast',
        normalizedInflight: 0,
      },
    ]);
    expect(events).toHaveLength(6);
  });

  test.each([
    ['linkRate', { linkRate: 0 }],
    ['baseRtt', { baseRtt: -1 }],
    ['segmentBytes', { segmentBytes: NaN }],
  ])('an environment without %s is refused', (name, wrong) => {
    expect(() => create('dctcp', wrong)).toThrow(name);
  });

  test('segments have 1000 bytes unless something else is said', () => {
    expect(create('swift', { segmentBytes: undefined }).windowBytes).toBe(65_000);
  });
});

describe('acknowledgements that say nothing', () => {
  const silent = [
    ['timely', {}],
    ['swift', {}],
    ['swift', { rtt: 0 }],
    ['theta-powertcp', {}],
    ['theta-powertcp', { rtt: 0 }],
    ['hpcc-pint', {}],
    ['powertcp', {}],
    ['powertcp', { telemetry: [hop(1, 1)], isIncomplete: true }],
  ] as const;
  test.each(silent)('%s ignores %j', (name, given) => {
    const control = create(name);
    const before = { ...control.metrics(), acksProcessed: 1 };
    expect(control.onAck(ack({ ackSequence: 9000, now: US, ...given }))).toBe('ignored');
    expect(control.metrics()).toEqual(before);
  });

  test('what each algorithm says of its first acknowledgements', () => {
    const said = (name: AlgorithmName, given: (i: number) => Partial<Acknowledgement>) => {
      const control = create(name);
      return [1, 2, 3].map((i) =>
        control.onAck(ack({ ackSequence: 1000 * i, nextSequence: 2500, now: i * US, ...given(i) })),
      );
    };
    const rtt = () => ({ rtt: T });
    expect(said('timely', rtt)).toEqual(['first', 'noted', 'update']);
    expect(said('theta-powertcp', rtt)).toEqual(['first', 'noted', 'update']);
    expect(said('hpcc-pint', () => ({ load: 0.5 }))).toEqual(['first', 'fast', 'update']);
    expect(said('powertcp', (i) => ({ telemetry: [hop(1000 * i, i)] }))).toEqual([
      'first',
      'fast',
      'update',
    ]);
    expect(said('dcqcn', (i) => ({ isMarked: i > 1 }))).toEqual(['noted', 'fast', 'fast']);
    expect(said('swift', () => ({ rtt: 9 * T }))).toEqual(['update', 'noted', 'noted']);
    expect(said('swift', rtt)).toEqual(['fast', 'fast', 'fast']);
  });
});

describe('PowerTCP', () => {
  /** The window after one acknowledgement with `before` and one with `after`. */
  const windowAfter = (before: readonly object[], after: readonly object[], restart = false) => {
    const control = create('powertcp');
    const of = (hops: readonly object[], i: number) =>
      ack({ telemetry: hops.map((each) => hopRecord(each)), ackSequence: i, now: i * US });
    control.onAck(of(before, 1));
    if (restart) control.onIdleRestart(US);
    const kind = control.onAck(of(after, 2));
    return { kind, window: control.windowBytes, load: control.metrics().normalizedInflight };
  };
  const [old, busy] = [hop(0, 0), hop(4160, 104_000)];

  test('halves its window for twice the power of its link', () => {
    const { kind, window, load } = windowAfter([old], [busy]);
    expect([kind, load]).toEqual(['update', 2]);
    expect(window).toBeCloseTo(0.9 * (26_000 + 520) + 5_200, 6);
  });

  test.each([
    ['another switch', { switchId: 2 }],
    ['another port', { portId: 2 }],
    ['an equal time', { timestamp: 0 }],
    ['a packet that overtook', { timestamp: 2 ** 48 - 1000 }],
  ])('compares nothing with %s', (_what, other) => {
    const { kind, window } = windowAfter([old], [{ ...busy, ...other }]);
    expect([kind, window]).toEqual(['first', 52_000]);
  });

  test('compares nothing after an idle time, nor a link that was not there', () => {
    expect(windowAfter([old], [busy], true).kind).toBe('first');
    expect(windowAfter([], [busy]).kind).toBe('first');
    // The second link is new: the first one counts, which was half busy.
    const half = hop(4160, 26_000);
    expect(windowAfter([old], [half, { ...busy, portId: 2 }]).load).toBe(0.5);
  });

  test('counters and clocks may wrap', () => {
    const near = hop(2 ** 48 - 2080, 2 ** 48 - 52_000);
    expect(windowAfter([near], [hop(2080, 52_000)]).load).toBe(2);
  });
});

test('theta-PowerTCP begins anew after an idle time', () => {
  const control = create('theta-powertcp');
  control.onAck(ack({ rtt: T, now: US }));
  control.onIdleRestart(US);
  expect(control.onAck(ack({ rtt: 5 * T, now: 90 * US, ackSequence: 5 }))).toBe('first');
  expect(control.metrics().normalizedInflight).toBe(1);
});
