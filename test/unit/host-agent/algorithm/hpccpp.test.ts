import type { HopRecord } from '../../../../common/hop/hop';
import type {
  Acknowledgement,
  CongestionEvent,
} from '../../../../host-agent/algorithm/congestion-control';
import type { HpccppWindowOptions } from '../../../../host-agent/algorithm/window-form';
import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { acknowledgement, hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

/** T = 4000 ns and 12.5 bytes/ns make W_init = 50,000 bytes. */
const T = 4000;
const W_INIT = 50_000;
const WAI = 100;
const FULL = 12.5;
const PS = 1000;

/** One flow over one link; `seen` moves the link on and acknowledges. */
class Rig {
  readonly events: CongestionEvent[] = [];
  readonly control: HpccppWindow;
  #hop = hopRecord();

  constructor(options: Partial<HpccppWindowOptions> = {}) {
    this.control = new HpccppWindow({
      linkRate: 100e9,
      baseRtt: T * PS,
      additiveIncreaseBytes: WAI,
      windowBytesMin: 50,
      sink: (event) => this.events.push(event),
      ...options,
    });
  }

  /** The link sends `bytes` in `dt` ns and then has `queue` bytes waiting. */
  seen(dt: number, bytes: number, ack: Partial<Acknowledgement> & { queue?: number } = {}): void {
    const { queue, ...rest } = ack;
    this.#hop = {
      ...this.#hop,
      timestamp: this.#hop.timestamp + dt,
      txBytes: this.#hop.txBytes + bytes,
      queueBytes: queue ?? 0,
    };
    this.ack({ now: this.#hop.timestamp * PS, telemetry: [this.#hop], ...rest });
  }

  ack(given: Partial<Acknowledgement> & { telemetry: readonly HopRecord[] }): void {
    this.control.onAck(acknowledgement(given));
  }

  get U(): number {
    return this.control.metrics().normalizedInflight ?? NaN;
  }

  get incStage(): number {
    return this.control.metrics().incStage;
  }

  get Wc(): number {
    return this.control.metrics().referenceWindowBytes;
  }
}

/** A rig that has its first acknowledgement behind it: bytes up to 50,000 were sent before. */
function startedRig(options: Partial<HpccppWindowOptions> = {}): Rig {
  const rig = new Rig(options);
  rig.seen(0, 0, { ackSequence: 1000, nextSequence: 50_000 });
  return rig;
}

describe('measuring bytes in flight', () => {
  // 12,500 bytes in 1000 ns are 100 Gb/s: u = 1.
  // U = ((T - tau) * U + tau * u) / T.
  const cases: readonly (readonly [string, number, number, number])[] = [
    ['a full link without a queue stays at 1', 1000, 12_500, (3000 * 1 + 1000 * 1) / T],
    ['a link at half rate weighs by its interval', 1000, 6250, (3000 * 1 + 1000 * 0.5) / T],
    // tau is at most T, so U is replaced and not extrapolated.
    ['an interval of exactly T replaces U', 4000, 25_000, 0.5],
    ['an interval of twice T replaces U', 8000, 50_000, 0.5],
    ['one byte in a very long time is nearly nothing', 4e6, 1, 8 / (4e6 * 1e-9 * 100e9)],
  ];
  proves({ cases: ['tau-clamped'], lines: '1, 4 and 8-10' }).each(cases)(
    'filters by time: %s',
    (_name, dt, bytes, expected) => {
      const rig = startedRig();
      rig.seen(dt, bytes);
      expect(rig.U).toBeCloseTo(expected, 12);
    },
  );

  proves({ cases: ['initial-u'] })('starts from the documented constant 1', () => {
    expect(new Rig().U).toBe(1);
  });

  // The smaller of two queue lengths of the same link counts.
  proves({ lines: '5' }).each([
    [0, 25_000, 1],
    [25_000, 0, 1],
    [25_000, 10_000, 1.2],
    [10_000, 25_000, 1.2],
  ])('takes the smaller of the queues %d and %d', (before, after, u) => {
    const rig = new Rig();
    rig.seen(0, 0, { queue: before, nextSequence: 50_000 });
    rig.seen(T, T * FULL, { queue: after });
    expect(rig.U).toBeCloseTo(u, 12);
  });

  // A queue is relative to B * T of its own link.
  proves({ cases: ['queue-of-own-link'], lines: '5' })(
    'relates a queue to the bandwidth-delay product of its own link',
    () => {
      const rig = new Rig();
      const slow = hopRecord({ capacity: 25e9, queueBytes: 12_500 });
      rig.ack({ telemetry: [slow] });
      rig.ack({ telemetry: [{ ...slow, timestamp: T, txBytes: 12_500 }] });
      expect(rig.U).toBeCloseTo(1 + 1, 12);
    },
  );

  // The bottleneck counts, with its own interval.
  proves({ lines: '3 and 6-7' })('takes u and interval from the bottleneck of the path', () => {
    const rig = new Rig();
    const [first, second] = [hopRecord(), hopRecord({ switchId: 2 })];
    rig.ack({ telemetry: [first, second] });
    rig.ack({
      telemetry: [
        { ...first, timestamp: 3000, txBytes: 3000 * FULL * 0.5 },
        { ...second, timestamp: 1000, txBytes: 1000 * FULL * 0.75 },
      ],
    });
    expect(rig.U).toBeCloseTo((3000 * 1 + 1000 * 0.75) / T, 12);
  });

  // With every link idle nothing supplies an interval.
  proves({ cases: ['idle-path-u'], lines: '2' })('keeps U when every link was idle', () => {
    const rig = startedRig();
    rig.seen(1000, 0);
    expect(rig.U).toBe(1);
  });

  proves({ cases: ['counter-wrap'] })('measures across a wrap of both counters', () => {
    const wrapping = { timestampModulus: 2 ** 24, txBytesModulus: 2 ** 20 };
    const rig = new Rig();
    const first = hopRecord({ ...wrapping, timestamp: 2 ** 24 - 1000, txBytes: 2 ** 20 - 500 });
    rig.ack({ telemetry: [first] });
    rig.ack({ telemetry: [{ ...first, timestamp: 3000, txBytes: 50_000 - 500 }] });
    expect(rig.U).toBeCloseTo(1, 12);
  });
});

describe('computing the window', () => {
  // U >= eta divides. 50,000 / (1 / 0.95) + 100 = 47,600.
  proves({ lines: '11-13 and 20' })('divides by U / eta when the path is full', () => {
    const rig = startedRig();
    rig.seen(T, T * FULL);
    expect(rig.control.windowBytes).toBeCloseTo(47_600, 6);
  });

  // Below eta a step is added, not proportional to U.
  proves({ lines: '16-17' })('adds one step when there is room', () => {
    const rig = startedRig();
    rig.seen(T, T * FULL * 2, { ackSequence: 50_001, nextSequence: 60_000 });
    const reference = rig.Wc;
    rig.seen(T, T * FULL * 0.9);
    expect(rig.control.windowBytes).toBe(reference + WAI);
  });

  proves({ cases: ['filtered-u'] })('lets the filtered U choose, not the latest u', () => {
    const rig = startedRig();
    rig.seen(100, 0.5 * 100 * FULL);
    expect(rig.U).toBeGreaterThan(0.95);
    expect(rig.control.windowBytes).toBeCloseTo((50_000 * 0.95) / rig.U + WAI, 6);
  });

  // Five additive rounds, the sixth is
  // multiplicative and resets the count; the count is compared before it is increased.
  proves({ cases: ['inc-stage'], lines: '12, 15 and 19' })(
    'is multiplicative in the sixth round with room when maxStage is 5',
    () => {
      const rig = startedRig();
      rig.seen(T, T * FULL * 2, { ackSequence: 50_001, nextSequence: 60_000 });
      const reference = rig.Wc;
      const stages: number[] = [];
      for (let round = 1; round <= 6; round++) {
        const sequence = 60_000 + round * 1000;
        rig.seen(T, T * FULL * 0.5, { ackSequence: sequence, nextSequence: sequence });
        stages.push(rig.incStage);
      }
      expect(stages).toEqual([1, 2, 3, 4, 5, 0]);
      // reference + 5 steps, then doubled by 0.95 / 0.5.
      expect(rig.Wc).toBeCloseTo(((reference + 5 * WAI) * 0.95) / 0.5 + WAI, 6);
    },
  );

  proves({ cases: ['max-stage-zero'] })(
    'is multiplicative in every round when maxStage is 0',
    () => {
      const rig = startedRig({ maxStage: 0 });
      rig.seen(T, T * FULL * 2, { ackSequence: 50_001, nextSequence: 60_000 });
      const reference = rig.Wc;
      rig.seen(T, T * FULL * 0.8, { ackSequence: 60_001, nextSequence: 70_000 });
      expect(rig.Wc).toBeCloseTo((reference * 0.95) / 0.8 + WAI, 6);
      expect(rig.incStage).toBe(0);
    },
  );

  proves({ cases: ['upper-bound'] })(
    'stays at the initial window when the path is nearly idle',
    () => {
      const rig = startedRig({ maxStage: 0 });
      rig.seen(4_000_000, 1, { ackSequence: 50_001, nextSequence: 60_000 });
      expect(rig.control.windowBytes).toBe(W_INIT);
      expect(rig.Wc).toBe(W_INIT);
    },
  );

  proves({ cases: ['bound-before-commit'] })(
    'bounds the reference window before storing it, so that one round undoes a bound',
    () => {
      const rig = startedRig({ maxStage: 0 });
      rig.seen(T, T * FULL * 0.01, { ackSequence: 50_001, nextSequence: 60_000 });
      rig.seen(T, T * FULL * 2, { ackSequence: 60_001, nextSequence: 70_000 });
      expect(rig.Wc).toBeCloseTo((W_INIT * 0.95) / 2 + WAI, 6);
    },
  );

  proves({ cases: ['lower-bound'] })('goes below one packet but not below the lower bound', () => {
    const rig = startedRig({ additiveIncreaseBytes: 0.25, windowBytesMin: 50 });
    let sequence = 50_000;
    for (let round = 0; round < 12; round++) {
      sequence += 1000;
      rig.seen(T, T * FULL, { queue: 200_000, ackSequence: sequence, nextSequence: sequence });
    }
    expect(rig.control.windowBytes).toBe(50);
    expect(rig.Wc).toBe(50);
  });

  proves({ cases: ['fractional-step'] })('adds up fractions of a byte', () => {
    const rig = startedRig({ additiveIncreaseBytes: 0.25 });
    rig.seen(T, T * FULL * 2, { ackSequence: 50_001, nextSequence: 60_000 });
    const reference = rig.Wc;
    for (let round = 1; round <= 4; round++) {
      const sequence = 60_000 + round * 1000;
      rig.seen(T, T * FULL * 0.5, { ackSequence: sequence, nextSequence: sequence });
    }
    expect(rig.Wc).toBeCloseTo(reference + 1, 9);
  });

  // R = W / T.
  proves({ cases: ['rate-of-window'], lines: '27' })(
    'paces at the window per base RTT, starting at the rate of the link',
    () => {
      const rig = startedRig();
      expect(rig.control.pacingRate).toBe(100e9);
      rig.seen(T, T * FULL);
      expect(rig.control.pacingRate).toBeCloseTo((47_600 * 8) / 4000e-9, 0);
    },
  );
});

describe('the rounds of the reference window', () => {
  proves({ cases: ['first-ack'] })('does nothing but remember on the first acknowledgement', () => {
    const rig = new Rig();
    rig.seen(0, 0, { ackSequence: 1000, nextSequence: 50_000, queue: 1_000_000 });
    expect(rig.control.metrics()).toMatchObject({
      windowBytes: W_INIT,
      referenceWindowBytes: W_INIT,
      normalizedInflight: 1,
      incStage: 0,
      acksProcessed: 0,
    });
  });

  proves({ cases: ['last-update-unset'] })(
    'recognises a first acknowledgement at sequence 0 and clock 0',
    () => {
      const rig = new Rig();
      rig.ack({ telemetry: [hopRecord()], ackSequence: 0, nextSequence: 0 });
      rig.ack({ telemetry: [hopRecord({ timestamp: T, txBytes: 1 })], ackSequence: 0 });
      expect(rig.control.metrics()).toMatchObject({ acksProcessed: 1, commits: 0 });
    },
  );

  // The window follows every acknowledgement, the reference
  // window only the first one beyond what had been sent at its last change; strictly beyond.
  proves({ cases: ['cumulative-sequence'], lines: '21-26' })(
    'changes the reference window only strictly beyond the end of the round',
    () => {
      const rig = startedRig();
      rig.seen(T, T * FULL, { ackSequence: 50_000, nextSequence: 99_000 });
      expect([rig.control.windowBytes, rig.Wc]).toEqual([expect.closeTo(47_600, 6), W_INIT]);
      rig.seen(T, T * FULL, { ackSequence: 50_001, nextSequence: 99_000 });
      expect(rig.Wc).toBeCloseTo(47_600, 6);
      rig.seen(T, T * FULL, { ackSequence: 99_000, nextSequence: 140_000 });
      expect(rig.Wc).toBeCloseTo(47_600, 6);
    },
  );

  // Without a commit neither Wc nor incStage changes.
  proves({ cases: ['commit-once-per-round'], lines: '14 and 18' })(
    'computes every window of a round from the same reference window',
    () => {
      const rig = startedRig();
      for (let ack = 1; ack <= 20; ack++) rig.seen(T, T * FULL, { ackSequence: ack * 1000 });
      expect(rig.control.windowBytes).toBeCloseTo(47_600, 6);
      expect(rig.control.metrics()).toMatchObject({ commits: 0, incStage: 0 });
    },
  );

  proves({ cases: ['go-back'] })(
    'does not move the end of the round back when the sender goes back',
    () => {
      const rig = startedRig();
      rig.seen(T, T * FULL, { ackSequence: 50_001, nextSequence: 90_000 });
      rig.control.onIdleRestart();
      rig.seen(T, T * FULL, { ackSequence: 50_001, nextSequence: 50_001 });
      rig.seen(T, T * FULL, { ackSequence: 60_000, nextSequence: 70_000 });
      expect(rig.control.metrics().commits).toBe(1);
      rig.seen(T, T * FULL, { ackSequence: 90_001, nextSequence: 120_000 });
      expect(rig.control.metrics().commits).toBe(2);
    },
  );

  proves({ cases: ['sequence-width'] })('counts sequences far beyond 2^32', () => {
    const rig = new Rig();
    const base = 2 ** 52;
    rig.seen(0, 0, { ackSequence: base, nextSequence: base + 1 });
    rig.seen(T, T * FULL, { ackSequence: base + 1, nextSequence: base + 3 });
    expect(rig.control.metrics().commits).toBe(0);
    rig.seen(T, T * FULL, { ackSequence: base + 2, nextSequence: base + 3 });
    expect(rig.control.metrics().commits).toBe(1);
  });

  proves({ cases: ['retransmitted-data'] })(
    'does not commit on old sequences, but uses the fresh telemetry of a retransmission',
    () => {
      const rig = startedRig();
      rig.seen(T, T * FULL, { ackSequence: 50_001, nextSequence: 99_000 });
      rig.seen(T, T * FULL * 0.5, { ackSequence: 1000, nextSequence: 99_000 });
      expect(rig.U).toBeCloseTo(0.5, 12);
      expect(rig.control.metrics().commits).toBe(1);
    },
  );
});
