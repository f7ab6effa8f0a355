import type {
  Acknowledgement,
  CongestionEvent,
} from '../../../../host-agent/algorithm/congestion-control';
import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import type { HopRecord } from '../../../../common/hop/hop';
import { acknowledgement, hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

/** T = 4000 ns at 100 Gb/s, 12.5 bytes/ns. */
const T = 4000;
const PS = 1000;
const MS = 1e9;

const A = hopRecord({ switchId: 1 });
const B = hopRecord({ switchId: 2 });
const C = hopRecord({ switchId: 3 });

/** The link at `dt` ns after its first record, having sent at `load` of its capacity. */
function later(hop: HopRecord, dt: number, load = 1): HopRecord {
  return { ...hop, timestamp: hop.timestamp + dt, txBytes: hop.txBytes + dt * 12.5 * load };
}

function rig() {
  const events: CongestionEvent[] = [];
  const control = new HpccppWindow({
    linkRate: 100e9,
    baseRtt: T * PS,
    additiveIncreaseBytes: 100,
    maxHops: 3,
    sink: (event) => events.push(event),
  });
  const ack = (telemetry: readonly HopRecord[], given: Partial<Acknowledgement> = {}) =>
    control.onAck(acknowledgement({ telemetry, ...given }));
  return { control, events, ack };
}

/** W_init, Wc, U, incStage: what must survive telemetry that cannot be used. */
function state(control: HpccppWindow) {
  const { windowBytes, referenceWindowBytes, normalizedInflight, incStage } = control.metrics();
  return { windowBytes, referenceWindowBytes, normalizedInflight, incStage };
}

describe('links whose clock has not moved', () => {
  proves({ cases: ['zero-interval'] })(
    'changes nothing when no clock has moved, and the round does not end',
    () => {
      const { control, ack } = rig();
      ack([A], { nextSequence: 10 });
      ack([later(A, T, 0.5)], { ackSequence: 5 });
      const before = state(control);
      ack([later(A, T, 0.5)], { ackSequence: 1000, nextSequence: 5000 });
      expect(state(control)).toEqual(before);
      expect(control.metrics().commits).toBe(0);
      ack([later(A, 2 * T, 0.5)], { ackSequence: 11, nextSequence: 5000 });
      expect(control.metrics().commits).toBe(1);
    },
  );

  proves({ cases: ['zero-interval-finite'] })(
    'never makes U other than a finite number, whatever the byte counter did',
    () => {
      const { control, ack } = rig();
      ack([A]);
      ack([{ ...A, txBytes: 5000 }]);
      ack([{ ...A, txBytes: 0, queueBytes: 7 }]);
      expect(control.metrics().normalizedInflight).toBe(1);
    },
  );

  proves({ cases: ['zero-interval-of-one-link'] })(
    'skips that link and spans both intervals with its older record',
    () => {
      const { control, ack } = rig();
      ack([A, B]);
      // A moves at a tenth of its capacity; B's counter has moved, its clock has not.
      ack([later(A, T, 0.1), { ...B, txBytes: 10_000 }]);
      expect(control.metrics().normalizedInflight).toBeCloseTo(0.1, 12);
      // 40,000 bytes in 4000 ns count from B's first record: 0.8, not (40,000 - 10,000): 0.6.
      ack([later(A, 2 * T, 0.1), { ...B, timestamp: T, txBytes: 40_000 }]);
      expect(control.metrics().normalizedInflight).toBeCloseTo(0.8, 12);
    },
  );
});

describe('telemetry that was overtaken', () => {
  proves({ cases: ['reordered'] })(
    'is ignored and counted when a clock seems to have run backwards',
    () => {
      const { control, events, ack } = rig();
      ack([later(A, 10 * T)], { nextSequence: 10 });
      ack([later(A, 11 * T)]);
      const before = state(control);
      ack([later(A, 10 * T + 5)], { ackSequence: 100, nextSequence: 200 });
      expect(state(control)).toEqual(before);
      expect(control.metrics()).toMatchObject({
        telemetryStale: 1,
        telemetryRejected: 0,
        commits: 0,
      });
      expect(events).toContainEqual({
        kind: 'telemetry-rejected',
        now: 0,
        reason: 'stale',
        hops: 1,
      });
    },
  );

  it('tells of the links whose records were not overtaken, and keeps the newer ones of the others', () => {
    const { control, ack } = rig();
    ack([later(A, T, 0.5), later(B, T)]);
    ack([later(A, 2 * T, 0.5), B]);
    expect(control.metrics().telemetryStale).toBe(0);
    expect(control.metrics().normalizedInflight).toBeCloseTo(0.5, 12);
    ack([later(A, 3 * T, 0.5), later(B, 2 * T)]);
    expect(control.metrics().normalizedInflight).toBeCloseTo(1, 12);
  });

  it.each([
    [2 ** 23, 0],
    [2 ** 23 + 1, 1],
  ])('is told by an interval of more than half the modulus: %d ns', (dt, stale) => {
    const { control, ack } = rig();
    const short = hopRecord({ timestampModulus: 2 ** 24 });
    ack([short]);
    ack([{ ...short, timestamp: dt, txBytes: 1 }]);
    expect(control.metrics().telemetryStale).toBe(stale);
  });
});

describe('telemetry so old that a counter may have wrapped', () => {
  // 2^24 ns are 16.8 ms; 2^29 bytes at 400 Gb/s are 10.7 ms. Half of the shorter is 5.4 ms.
  const reduced = { timestampModulus: 2 ** 24, txBytesModulus: 2 ** 29, capacity: 400e9 };

  it.each([
    [5.3 * MS, 1],
    // 2^29 * 8 / 400e9 s.
    [5_368_709_120, 1],
    [5_368_709_121, 0],
    [5.4 * MS, 0],
  ])('is not compared with after half the shorter wrap period: %d ps', (age, processed) => {
    const { control, ack } = rig();
    const hop = hopRecord(reduced);
    ack([hop], { now: 1 });
    ack([{ ...hop, timestamp: 5e6, txBytes: 100 }], { now: 1 + age });
    expect(control.metrics().acksProcessed).toBe(processed);
  });

  proves({ cases: ['stale-records'] })(
    'makes the next acknowledgement a first one, whose round ends after all that was sent',
    () => {
      const { control, ack } = rig();
      const hop = hopRecord(reduced);
      ack([hop], { nextSequence: 10 });
      ack([hop], { ackSequence: 20, nextSequence: 5000, now: 60 * MS });
      expect(control.metrics().commits).toBe(0);
      ack([later(hop, T)], { ackSequence: 5000, nextSequence: 9000, now: 60 * MS });
      expect(control.metrics()).toMatchObject({ commits: 0, acksProcessed: 1 });
    },
  );

  // Half of 2^32 bytes at 100 Gb/s, in ps, is 172 ms; at 400 Gb/s it is 43 ms.
  it.each([
    ['a clock of fewer bits', { timestampModulus: 2 ** 24 }, 8_388_608_000],
    ['a counter of fewer bits', { txBytesModulus: 2 ** 28 }, 10_737_418_240],
    ['a faster link', { capacity: 400e9 }, 42_949_672_960],
  ])('knows when counters may have wrapped from the latest record: %s', (_name, change, age) => {
    const processed = [age, age + 1].map((silence) => {
      const { control, ack } = rig();
      const hop = hopRecord({ txBytesModulus: 2 ** 32 });
      ack([hop]);
      ack([{ ...later(hop, T), ...change }]);
      ack([{ ...later(hop, 2 * T), ...change }], { now: silence });
      return control.metrics().acksProcessed;
    });
    expect(processed).toEqual([2, 1]);
  });

  it('counts the age of a record that was kept from its own arrival', () => {
    const { control, ack } = rig();
    const [moving, standing] = [hopRecord(reduced), hopRecord({ ...reduced, switchId: 2 })];
    ack([moving, standing]);
    ack([later(moving, T, 0.2), standing], { now: 3 * MS });
    // 6 ms after its record the other link cannot be compared, whatever it has sent.
    ack([later(moving, 2 * T, 0.2), later(standing, T, 0.9)], { now: 6 * MS });
    expect(control.metrics().normalizedInflight).toBeCloseTo(0.05, 12);
    ack([later(moving, 3 * T, 0.2), later(standing, 2 * T, 0.9)], { now: 6.1 * MS });
    expect(control.metrics().normalizedInflight).toBeCloseTo(0.225, 12);
  });
});

describe('a change of path', () => {
  it.each([
    ['another switch', [A, C], 0.1],
    ['another port', [A, { ...B, portId: 2 }], 0.1],
    ['another queue', [A, { ...B, queueId: 2 }], 0.1],
    ['another order', [B, A], 0.3],
    ['a link more', [A, B, C], 0.3],
    ['a link less', [A], 0.1],
  ])('is seen by identities, and the links that stay count: %s', (_name, path, U) => {
    const { control, events, ack } = rig();
    ack([A, B], { nextSequence: 10 });
    const at = (hop: HopRecord, dt: number): HopRecord =>
      later(hop, dt, { 1: 0.1, 2: 0.3, 3: 0.9 }[hop.switchId]);
    ack([at(A, T), at(B, T)]);
    const kind = ack(
      path.map((hop) => at(hop, 2 * T)),
      { ackSequence: 100, nextSequence: 500 },
    );
    expect(kind).toBe('update');
    expect(control.metrics()).toMatchObject({ pathChanges: 1, acksProcessed: 2, commits: 1 });
    expect(control.metrics().normalizedInflight).toBeCloseTo(U, 12);
    expect(events).toContainEqual({ kind: 'path-changed', now: 0, hops: path.length });
  });

  it('of all links changes nothing else', () => {
    const { control, ack } = rig();
    ack([A], { nextSequence: 10 });
    ack([later(A, T, 0.5)]);
    const before = state(control);
    expect(ack([B, C], { ackSequence: 100, nextSequence: 500 })).toBe('first');
    expect(state(control)).toEqual(before);
  });

  it('and back finds the records of the links as they were', () => {
    const { control, ack } = rig();
    ack([A]);
    for (let i = 1; i <= 100; i++) ack([{ ...B, portId: i }]);
    expect(ack([later(A, T, 0.7)])).toBe('fast');
    expect(control.metrics().normalizedInflight).toBeCloseTo(0.7, 12);
  });

  it('forgets the links that were stored longest ago once there are too many', () => {
    const { ack } = rig();
    for (let i = 0; i < 131; i++) ack([{ ...B, portId: i }], { now: i });
    ack([{ ...later(B, T), portId: 0 }], { now: 131 });
    expect(ack([{ ...B, portId: 131 }], { now: 132 })).toBe('first');
    // Port 0 was renewed, so the first that gave way is port 1.
    expect(ack([{ ...later(B, 2 * T), portId: 0 }], { now: 133 })).toBe('fast');
    expect(ack([{ ...later(B, 2 * T), portId: 2 }], { now: 134 })).toBe('fast');
    expect(ack([{ ...later(B, 2 * T), portId: 1 }], { now: 135 })).toBe('first');
  });

  proves({ cases: ['path-change'] })(
    'keeps the round in progress, so that the next acknowledgement may end it',
    () => {
      const { control, ack } = rig();
      ack([A], { nextSequence: 10 });
      ack([B], { ackSequence: 11, nextSequence: 500 });
      ack([later(B, T)], { ackSequence: 12, nextSequence: 500 });
      expect(control.metrics().commits).toBe(1);
    },
  );

  proves({ cases: ['link-identity'] })(
    'matches links by identity when their records agree in position only by chance',
    () => {
      const { control, ack } = rig();
      ack([A, later(B, 5 * T, 0.5)]);
      ack([later(B, 6 * T, 0.5), later(A, T, 0.5)]);
      expect(control.metrics().pathChanges).toBe(1);
      expect(control.metrics().normalizedInflight).toBeCloseTo(0.5, 12);
    },
  );
});

describe('telemetry that cannot be used', () => {
  const unusable: readonly (readonly [string, readonly HopRecord[], boolean])[] = [
    ['no-hops', [], false],
    ['too-many-hops', [A, B, C, hopRecord({ switchId: 4 })], false],
    ['incomplete', [A], true],
    ['unknown-capacity', [{ ...A, capacity: 0 }], false],
    ['unknown-capacity', [A, { ...B, capacity: 0xffff_ffff * 1e6 }], false],
    ['unknown-capacity', [{ ...A, capacity: Number.NaN }], false],
    ['unknown-capacity', [{ ...A, capacity: 1e15 }], false],
  ];
  it.each(unusable)('is counted and reported as %s', (reason, telemetry, isIncomplete) => {
    const { control, events, ack } = rig();
    ack([A], { nextSequence: 10 });
    const before = state(control);
    ack(telemetry, { isIncomplete, ackSequence: 100, nextSequence: 500, now: 7 });
    expect(state(control)).toEqual(before);
    expect(control.metrics()).toMatchObject({ telemetryRejected: 1, telemetryStale: 0 });
    const hops = telemetry.length;
    expect(events).toContainEqual({ kind: 'telemetry-rejected', now: 7, reason, hops });
  });

  proves({ cases: ['unusable-telemetry'] })(
    'does not end a round, so that the next good telemetry acts at once',
    () => {
      const { control, ack } = rig();
      ack([A], { nextSequence: 10 });
      ack([], { ackSequence: 100, nextSequence: 5000 });
      ack([later(A, T)], { ackSequence: 101, nextSequence: 5000 });
      expect(control.metrics().commits).toBe(1);
    },
  );

  it('may come first: the flow then still has its first acknowledgement before it', () => {
    const { control, ack } = rig();
    ack([], { ackSequence: 1, nextSequence: 10 });
    ack([A], { ackSequence: 2, nextSequence: 10 });
    expect(control.metrics()).toMatchObject({ acksProcessed: 0, telemetryRejected: 1 });
  });
});

describe('telemetry that misses links', () => {
  /** A flow on A and B at half of their capacity, and then one acknowledgement of A alone. */
  function afterPart(load: number, rounds = 1) {
    const { control, ack } = rig();
    ack([A, B], { nextSequence: 10 });
    ack([later(A, T, 0.95), later(B, T, 0.95)], { ackSequence: 11, nextSequence: 20 });
    const before = state(control);
    const kinds = Array.from({ length: rounds }, (_, i) =>
      ack(
        [
          {
            ...later(A, T, 0.95),
            timestamp: (2 + i) * T,
            txBytes: 12.5 * T * (0.95 + load * (i + 1)),
          },
        ],
        {
          isIncomplete: true,
          ackSequence: 21 + 10 * i,
          nextSequence: 30 + 10 * i,
        },
      ),
    );
    return { control, ack, before, after: state(control), kinds };
  }

  it('lowers the window for the overload of the links that it shows, once a round', () => {
    const { before, after, kinds, control } = afterPart(1.9, 2);
    expect(kinds).toEqual(['update', 'update']);
    const once = before.referenceWindowBytes / 2 + 100;
    expect(after.referenceWindowBytes).toBeCloseTo(once / 2 + 100, 6);
    expect(control.metrics()).toMatchObject({ telemetryRejected: 2, commits: 3 });
  });

  it('never raises the window, and ends no round without an overload', () => {
    const { before, after, kinds, control, ack } = afterPart(0.1, 3);
    expect(kinds).toEqual(['ignored', 'ignored', 'ignored']);
    expect(after).toEqual(before);
    // The overload of the link that it missed counts as if nothing had come in between.
    ack([later(A, 9 * T, 0.3), later(B, 9 * T, 1.9)], { ackSequence: 100, nextSequence: 500 });
    expect(control.metrics().referenceWindowBytes).toBeLessThan(before.referenceWindowBytes);
  });

  it.each([
    ['too-many-hops', [C, A, B, hopRecord({ switchId: 4 })], false],
    ['unknown-capacity', [later(A, 2 * T, 2), { ...B, capacity: 0 }], false],
    ['incomplete', [later(A, 2 * T, 2)], true],
  ] as const)('is used so far as it goes: %s', (_reason, telemetry, isIncomplete) => {
    const { control, ack } = rig();
    ack([A, B], { nextSequence: 10 });
    ack([later(A, T), later(B, T)]);
    const shown = telemetry.map((hop) => (hop === A ? later(A, 2 * T, 2) : hop));
    const before = control.windowBytes;
    expect(ack(shown, { isIncomplete, ackSequence: 100, nextSequence: 500 })).toBe('update');
    expect(control.windowBytes).toBeLessThan(before);
    expect(control.metrics().telemetryRejected).toBe(1);
  });
});

describe('resuming after idleness', () => {
  proves({ cases: ['idle-restart'] })(
    'stores the next telemetry only, keeps the window, and begins a new round',
    () => {
      const { control, ack } = rig();
      ack([A], { nextSequence: 10 });
      ack([later(A, T)], { ackSequence: 11, nextSequence: 20 });
      const before = state(control);
      control.onIdleRestart();
      ack([later(A, 100 * T, 0.01)], { ackSequence: 100, nextSequence: 500 });
      expect(state(control)).toEqual(before);
      ack([later(A, 101 * T, 0.5)], { ackSequence: 500, nextSequence: 600 });
      expect(control.metrics().commits).toBe(1);
    },
  );

  proves({ cases: ['slow-flow-is-not-idle'] })(
    'is not inferred from a long gap between acknowledgements',
    () => {
      const { control, ack } = rig();
      ack([A]);
      ack([later(A, 50 * T, 0.5)], { now: 50 * T * PS });
      expect(control.metrics()).toMatchObject({ acksProcessed: 1, normalizedInflight: 0.5 });
    },
  );
});

describe('events', () => {
  it('tells kind, U and windows of every acknowledgement in order', () => {
    const { events, ack } = rig();
    ack([A], { nextSequence: 10 });
    ack([later(A, T)], { ackSequence: 10 });
    ack([later(A, 2 * T)], { ackSequence: 11 });
    ack([later(A, 2 * T)], { ackSequence: 12 });
    expect(events.map((event) => event.kind)).toEqual([
      'ack-processed',
      'ack-processed',
      'window-updated',
      'ack-processed',
      'window-updated',
      'ack-processed',
    ]);
    const kinds = events.flatMap((e) => (e.kind === 'ack-processed' ? [e.ackKind] : []));
    expect(kinds).toEqual(['first', 'fast', 'update', 'ignored']);
  });

  it('are optional', () => {
    const control = new HpccppWindow({ linkRate: 100e9, baseRtt: T * PS });
    control.onAck(acknowledgement({ telemetry: [] }));
    expect(control.metrics().telemetryRejected).toBe(1);
  });
});
