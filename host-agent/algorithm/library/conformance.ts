import { Random } from '../../../common/random/random';
import type { Acknowledgement, CongestionControl } from '../congestion-control';
import type { Algorithm, AlgorithmTuning } from './algorithms';

/** A flow of 100 Gb/s with T of 8 us, in ps. */
const LINK = { linkRate: 100e9, baseRtt: 8_000_000, segmentBytes: 1000 };
const SEGMENT = 1000;
const STEPS = 2000;
/** More than any path holds: who asks for more has lost count. */
const WINDOW_MAX = 2 ** 40;

/** One thing that every algorithm must do; throws an error that says what it did instead. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: (create: () => CongestionControl) => void;
}

export interface ConformanceResult {
  readonly name: string;
  /** Undefined: it does. */
  readonly problem: string | undefined;
}

/** Flow under test: time, sequences, and the link that its telemetry tells of. */
class Rig {
  now = LINK.baseRtt;
  sequence = 0;
  #txBytes = 0;

  constructor(readonly control: CongestionControl) {
    this.check('at the start');
  }

  /** An acknowledgement of the next segment, `after` ps later, with all that an algorithm may ask for. */
  ack(after: number, given: { readonly load: number; readonly delay?: number }): void {
    this.now += after;
    this.sequence += SEGMENT;
    this.#txBytes += (after / 8e12) * LINK.linkRate * Math.min(1, given.load);
    this.send(this.ackNow(given));
  }

  ackNow({ load, delay = 0 }: { readonly load: number; readonly delay?: number }): Acknowledgement {
    const queueBytes = Math.round((delay * LINK.linkRate) / 8e12);
    const timestamp = Math.floor(this.now / 1000);
    const counters = { txBytes: Math.floor(this.#txBytes), txBytesModulus: 2 ** 48 };
    const hop = { switchId: 1, portId: 1, timestamp, timestampModulus: 2 ** 48, ...counters };
    return {
      ackSequence: this.sequence,
      nextSequence: this.sequence + Math.floor(Math.min(this.control.windowBytes, 1e6)),
      telemetry: [{ ...hop, queueBytes, capacity: LINK.linkRate }],
      isIncomplete: false,
      isMarked: load > 1,
      rtt: LINK.baseRtt + delay,
      load,
      now: this.now,
    };
  }

  send(ack: Acknowledgement): void {
    this.wake();
    this.control.onAck(ack);
    this.check('after onAck');
  }

  wake(): void {
    if ((this.control.wakeupAt ?? Infinity) <= this.now) this.control.onWakeup?.(this.now);
    this.check('after onWakeup');
  }

  check(when: string): void {
    const { windowBytes, pacingRate } = this.control;
    if (!(windowBytes > 0 && windowBytes <= WINDOW_MAX)) {
      throw new Error(`windowBytes is ${windowBytes} ${when}`);
    }
    if (!(pacingRate > 0 && pacingRate <= LINK.linkRate * (1 + 1e-9))) {
      throw new Error(`pacingRate is ${pacingRate} ${when}, on a link of ${LINK.linkRate}`);
    }
  }
}

const NOTHING = {
  telemetry: [],
  isIncomplete: false,
  isMarked: false,
  rtt: undefined,
  load: undefined,
};

const CASES: readonly ConformanceCase[] = [
  {
    name: 'keeps window and rate positive, finite and at most the rate of the link',
    run: (create) => {
      const random = new Random(1);
      const rig = new Rig(create());
      for (let i = 0; i < STEPS; i++) {
        const load = 4 * random.uniform();
        rig.ack(random.uniform() * 2 * LINK.baseRtt, { load, delay: load * LINK.baseRtt });
      }
    },
  },
  {
    name: 'makes do with acknowledgements that tell nothing',
    run: (create) => {
      const rig = new Rig(create());
      for (let i = 0; i < 100; i++) rig.send({ ...rig.ackNow({ load: 0 }), ...NOTHING });
    },
  },
  {
    name: 'keeps its state while idle',
    run: (create) => {
      const rig = new Rig(create());
      for (let round = 0; round < 20; round++) {
        for (let i = 0; i < 20; i++) rig.ack(LINK.baseRtt / 50, { load: 2, delay: LINK.baseRtt });
        rig.now += 1000 * LINK.baseRtt;
        rig.control.onIdleRestart(rig.now);
        rig.check('after onIdleRestart');
      }
    },
  },
  {
    name: 'goes on after losses and timeouts',
    run: (create) => {
      const rig = new Rig(create());
      for (let i = 0; i < 200; i++) {
        rig.ack(LINK.baseRtt / 10, { load: 1.2, delay: LINK.baseRtt / 2 });
        const kind = i % 10 === 9 ? 'timeout' : 'gap';
        const { sequence, now } = rig;
        rig.control.onLoss?.({ kind, sequence, nextSequence: sequence + SEGMENT, now });
        rig.check('after onLoss');
      }
    },
  },
  {
    name: 'takes reordered acknowledgements: older ones after newer ones, and the same again',
    run: (create) => {
      const random = new Random(2);
      const rig = new Rig(create());
      const past: Acknowledgement[] = [];
      for (let i = 0; i < STEPS; i++) {
        rig.ack(LINK.baseRtt / 50, { load: 2 * random.uniform(), delay: LINK.baseRtt / 2 });
        past.push(rig.ackNow({ load: 1 }));
        const again = past[Math.floor(random.uniform() * past.length)];
        if (again !== undefined) rig.send({ ...again, now: rig.now });
      }
    },
  },
  {
    name: 'follows a base RTT that is measured anew',
    run: (create) => {
      const rig = new Rig(create());
      for (const factor of [2, 0.1, 10, 1]) {
        rig.control.onBaseRtt?.(LINK.baseRtt * factor);
        rig.check('after onBaseRtt');
        for (let i = 0; i < 50; i++) rig.ack(LINK.baseRtt / 50, { load: 1, delay: 0 });
      }
    },
  },
  {
    name: 'keeps flows apart, and does the same with the same',
    run: (create) => {
      const [one, other] = [new Rig(create()), new Rig(create())];
      const before = other.control.windowBytes;
      for (let i = 0; i < 50; i++) one.ack(LINK.baseRtt / 20, { load: 3, delay: LINK.baseRtt });
      if (other.control.windowBytes !== before || create().windowBytes !== before) {
        throw new Error('what one flow hears changes another');
      }
      for (let i = 0; i < 50; i++) other.ack(LINK.baseRtt / 20, { load: 3, delay: LINK.baseRtt });
      if (other.control.windowBytes !== one.control.windowBytes) {
        throw new Error('two flows that hear the same have different windows');
      }
    },
  },
  {
    name: 'does what it wanted to be woken for',
    run: (create) => {
      const rig = new Rig(create());
      for (let i = 0; i < 500; i++) {
        rig.ack(LINK.baseRtt / 50, { load: i % 100 < 50 ? 2 : 0.5, delay: LINK.baseRtt });
        rig.control.onCongestionNotification?.(rig.now);
        rig.check('after onCongestionNotification');
        const at = rig.control.wakeupAt ?? Infinity;
        if (at <= rig.now || at === Infinity) continue;
        rig.now = at;
        rig.wake();
        if ((rig.control.wakeupAt ?? Infinity) <= rig.now) {
          throw new Error(`wakeupAt stays at ${rig.control.wakeupAt} after onWakeup(${rig.now})`);
        }
      }
    },
  },
];

/** Puts an algorithm through what flows go through. */
export function checkConformance(
  algorithm: Algorithm,
  tuning: AlgorithmTuning = {},
): readonly ConformanceResult[] {
  return CASES.map(({ name, run }) => {
    try {
      run(() => algorithm.factory(tuning)(LINK));
      return { name, problem: undefined };
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error) };
    }
  });
}
