import { FixedRate } from '../../../../../host-agent/algorithm/fixed-rate';
import { checkConformance } from '../../../../../host-agent/algorithm/library/conformance';
import type { Algorithm } from '../../../../../host-agent/algorithm/library/algorithms';
import type {
  Acknowledgement,
  CongestionControl,
  Loss,
} from '../../../../../host-agent/algorithm/congestion-control';

/** T of the flow under test in ps, and its link. */
const T = 8_000_000;
const R = 100e9;

const [VALUES, NOTHING, IDLE, LOSSES, REORDERING, BASE_RTT, APART, WAKING] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];

/** A control that does nothing wrong, unless it is told to. */
interface Control extends Omit<CongestionControl, 'windowBytes' | 'pacingRate'> {
  windowBytes: number;
  pacingRate: number;
}

const steady = (): Control => ({
  onAck: () => 'update',
  onLoad: () => 'ignored',
  onFlowCount: () => undefined,
  onIdleRestart: () => undefined,
  metrics: () => new FixedRate(R).metrics(),
  windowBytes: 50_000,
  pacingRate: R / 2,
});

type Hooks = Partial<Pick<CongestionControl, 'onAck' | 'onIdleRestart' | 'onLoss' | 'onBaseRtt'>> &
  Partial<Pick<CongestionControl, 'onCongestionNotification' | 'onWakeup'>> & {
    readonly wakeup?: () => number;
  };

/** Verdicts of the cases on flows that do what `hooks` makes of them. */
function problems(hooks: (control: Control, flow: number) => Hooks): (string | undefined)[] {
  let flows = 0;
  const factory = () => () => {
    const control = steady();
    const { wakeup, ...calls } = hooks(control, flows++);
    const made = Object.assign(control, calls);
    return wakeup === undefined
      ? made
      : Object.defineProperty(made, 'wakeupAt', { get: wakeup, configurable: true });
  };
  const algorithm = { name: 'mine', factory } as unknown as Algorithm;
  return checkConformance(algorithm).map(({ problem }) => problem);
}

/** Calls that flows receive in one case. */
function heard(which: number): { acks: Acknowledgement[]; told: [string, unknown][] } {
  const cases: { acks: Acknowledgement[]; told: [string, unknown][] }[] = [];
  problems(() => {
    const seen = { acks: [] as Acknowledgement[], told: [] as [string, unknown][] };
    cases.push(seen);
    const tell = (name: string) => (what: unknown) => void seen.told.push([name, what]);
    return {
      onAck: (ack) => {
        seen.acks.push(ack);
        return 'update';
      },
      onIdleRestart: tell('idle'),
      onLoss: tell('loss'),
      onBaseRtt: tell('base'),
      onCongestionNotification: tell('cnp'),
    };
  });
  return cases[which] ?? { acks: [], told: [] };
}

const countOf = <T>(all: readonly T[], isOne: (each: T) => boolean): number =>
  all.filter(isOne).length;

describe('what the flow under test hears', () => {
  test('is a link that sends no faster than it can, with the queue that delays it', () => {
    const { acks } = heard(VALUES);
    expect(acks).toHaveLength(2000);
    acks.forEach((ack, i) => {
      const [hop] = ack.telemetry;
      const load = ack.load ?? NaN;
      expect(ack.ackSequence).toBe(1000 * (i + 1));
      expect(ack.nextSequence - ack.ackSequence).toBe(50_000);
      expect([ack.isMarked, ack.isIncomplete, ack.telemetry.length]).toEqual([load > 1, false, 1]);
      expect(ack.rtt).toBeCloseTo(T * (1 + load), 3);
      expect(hop?.queueBytes).toBe(Math.round((load * T * R) / 8e12));
      expect([hop?.capacity, hop?.timestamp]).toEqual([R, Math.floor(ack.now / 1000)]);
    });
    expect(Math.max(...acks.map(({ load = 0 }) => load))).toBeGreaterThan(3.9);
    const last = acks.at(-1);
    const elapsed = (last?.now ?? 0) - T;
    // On average one ack per T, of which the link is busy for 7 / 8 at loads from 0 to 4.
    expect(elapsed / (2000 * T)).toBeCloseTo(1, 1);
    const busy = ((last?.telemetry[0]?.txBytes ?? 0) * 8e12) / R / elapsed;
    expect(busy).toBeCloseTo(7 / 8, 1);
    acks.slice(1).forEach(({ telemetry: [hop], now }, i) => {
      const [before, then] = [acks[i]?.telemetry[0]?.txBytes ?? 0, acks[i]?.now ?? 0];
      const sent = (hop?.txBytes ?? 0) - before;
      expect(sent).toBeGreaterThanOrEqual(0);
      expect(sent).toBeLessThanOrEqual(((now - then) * R) / 8e12 + 1);
    });
  });

  test('is nothing, a hundred times', () => {
    const { acks } = heard(NOTHING);
    expect(acks).toHaveLength(100);
    for (const { telemetry, isIncomplete, isMarked, rtt, load } of acks) {
      expect({ telemetry, isIncomplete, isMarked, rtt, load }).toEqual({
        telemetry: [],
        isIncomplete: false,
        isMarked: false,
        rtt: undefined,
        load: undefined,
      });
    }
  });

  test('is a thousand base RTTs of silence, twenty times', () => {
    const { acks, told } = heard(IDLE);
    expect([acks.length, told.map(([name]) => name)]).toEqual([400, new Array(20).fill('idle')]);
    const gaps = acks.slice(1).map(({ now }, i) => now - (acks[i]?.now ?? 0));
    expect(countOf(gaps, (gap) => gap > 999 * T)).toBe(19);
    expect(countOf(gaps, (gap) => gap === T / 50)).toBe(380);
    expect(acks.every(({ load, isMarked, rtt }) => load === 2 && isMarked && rtt === 2 * T)).toBe(
      true,
    );
  });

  test('is a loss for every acknowledgement, each tenth a timeout', () => {
    const { acks, told } = heard(LOSSES);
    expect([acks.length, told.length]).toEqual([200, 200]);
    told.forEach(([, what], i) => {
      const { kind, sequence, nextSequence, now } = what as Loss;
      expect([kind, sequence, nextSequence, now]).toEqual([
        i % 10 === 9 ? 'timeout' : 'gap',
        1000 * (i + 1),
        1000 * (i + 2),
        T + ((i + 1) * T) / 10,
      ]);
    });
    expect(acks.every(({ rtt, load }) => rtt === 1.5 * T && load === 1.2)).toBe(true);
  });

  test('is every acknowledgement, and an older one again behind it', () => {
    const { acks } = heard(REORDERING);
    expect(acks).toHaveLength(4000);
    const again = acks.filter((_, i) => i % 2 === 1);
    again.forEach(({ ackSequence, now, load }, i) => {
      expect(ackSequence).toBeLessThanOrEqual(1000 * (i + 1));
      expect([now, load]).toEqual([acks[2 * i]?.now, 1]);
    });
    expect(new Set(again.map(({ ackSequence }) => ackSequence)).size).toBeGreaterThan(500);
    const loads = acks.filter((_, i) => i % 2 === 0).map(({ load = 0 }) => load);
    expect([Math.max(...loads) > 1.9, Math.min(...loads) < 0.1]).toEqual([true, true]);
  });

  test('is a base RTT of twice, a tenth, ten times, and the same again', () => {
    const { acks, told } = heard(BASE_RTT);
    expect(told).toEqual([2, 0.1, 10, 1].map((factor) => ['base', T * factor]));
    expect(acks).toHaveLength(200);
    expect(acks.every(({ load, rtt }) => load === 1 && rtt === T)).toBe(true);
  });

  test('is load and a notification, in turns of fifty', () => {
    // The case before has three flows.
    const { acks, told } = heard(WAKING + 2);
    expect([acks.length, told.length]).toEqual([500, 500]);
    acks.forEach(({ load }, i) => expect(load).toBe(i % 100 < 50 ? 2 : 0.5));
  });
});

describe('each case can fail', () => {
  const only = (found: readonly (string | undefined)[], which: number) => {
    expect(found.flatMap((problem, i) => (problem === undefined ? [] : [i]))).toEqual([which]);
    return found[which];
  };

  test('nothing is wrong with a control that does nothing wrong', () => {
    expect(problems(() => ({}))).toEqual(new Array(8).fill(undefined));
  });

  test.each([
    ['windowBytes', Infinity, 'windowBytes is Infinity'],
    ['windowBytes', 0, 'windowBytes is 0'],
    ['windowBytes', NaN, 'windowBytes is NaN'],
    ['windowBytes', 2 ** 40 + 1, `windowBytes is ${2 ** 40 + 1}`],
    ['pacingRate', 0, 'pacingRate is 0'],
    ['pacingRate', -1, 'pacingRate is -1'],
    ['pacingRate', R * 1.01, `pacingRate is ${R * 1.01}`],
  ] as const)('a %s of %d at great loads', (what, value, said) => {
    const found = problems((control) => ({
      onAck: ({ load = 0 }) => {
        if (load > 3.5) control[what] = value;
        return 'update';
      },
    }));
    expect(only(found, VALUES)).toContain(`${said} after onAck`);
  });

  test.each([
    ['windowBytes', 2 ** 40],
    ['windowBytes', 1e-9],
    ['pacingRate', R],
    ['pacingRate', 1e-9],
  ] as const)('but a %s of %d is none', (what, value) => {
    const found = problems((control) => {
      control[what] = value;
      return {};
    });
    expect(found).toEqual(new Array(8).fill(undefined));
  });

  test('a window that is wrong from the start', () => {
    const found = problems((control) => {
      control.windowBytes = -1;
      return {};
    });
    expect(new Set(found)).toEqual(new Set(['windowBytes is -1 at the start']));
  });

  test('acknowledgements without telemetry', () => {
    const found = problems(() => ({
      onAck: ({ telemetry: [hop] }) => {
        if (hop === undefined) throw new Error('I want telemetry');
        return 'update';
      },
    }));
    expect(only(found, NOTHING)).toBe('I want telemetry');
  });

  const spoil = (control: Control) => () => void (control.windowBytes = NaN);
  test.each([
    [IDLE, 'onIdleRestart', 'windowBytes is NaN after onIdleRestart'],
    [LOSSES, 'onLoss', 'windowBytes is NaN after onLoss'],
    [BASE_RTT, 'onBaseRtt', 'windowBytes is NaN after onBaseRtt'],
    [WAKING, 'onCongestionNotification', 'windowBytes is NaN after onCongestionNotification'],
  ] as const)('case %i: %s', (which, name, said) => {
    expect(
      only(
        problems((control) => ({ [name]: spoil(control) })),
        which,
      ),
    ).toBe(said);
  });

  test('an older acknowledgement', () => {
    const found = problems(() => {
      let last = 0;
      return {
        onAck: ({ ackSequence, load }) => {
          if (ackSequence < last && load !== undefined) throw new Error('time runs backwards');
          last = ackSequence;
          return 'update';
        },
      };
    });
    expect(only(found, REORDERING)).toBe('time runs backwards');
  });

  test('flows that share what they know, begin with it, or roll dice', () => {
    let acks = 0;
    const onAck = () => {
      acks += 1;
      return 'update' as const;
    };
    const shared = problems((control) => {
      Object.defineProperty(control, 'windowBytes', { get: () => 50_000 + acks });
      return { onAck };
    });
    expect(only(shared, APART)).toBe('what one flow hears changes another');
    const learnt = problems((control) => {
      control.windowBytes = 50_000 + acks;
      return { onAck };
    });
    expect(only(learnt, APART)).toBe('what one flow hears changes another');
    const random = problems((control, flow) => ({
      onAck: () => {
        control.windowBytes = 50_000 + flow;
        return 'update';
      },
    }));
    expect(only(random, APART)).toBe('two flows that hear the same have different windows');
  });

  test('a flow that wants to be woken for what it has done', () => {
    const woken: number[] = [];
    const found = problems(() => {
      let at = Infinity;
      return {
        onCongestionNotification: (now) => void (at = now + 5),
        wakeup: () => at,
        onWakeup: (now) => void woken.push(now),
      };
    });
    expect(only(found, WAKING)).toBe(
      `wakeupAt stays at ${T + T / 50 + 5} after onWakeup(${T + T / 50 + 5})`,
    );
    expect(woken).toEqual([T + T / 50 + 5]);
  });

  test('a flow that is spoilt by being woken', () => {
    const found = problems((control) => {
      let at = Infinity;
      return {
        onCongestionNotification: (now) => void (at = now + 5),
        wakeup: () => at,
        onWakeup: () => {
          at = Infinity;
          control.pacingRate = NaN;
        },
      };
    });
    expect(only(found, WAKING)).toContain('pacingRate is NaN after onWakeup');
  });

  test('what is thrown need not be an error', () => {
    const found = problems(() => ({
      onLoss: () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- a file may throw anything
        throw 'no';
      },
    }));
    expect(only(found, LOSSES)).toBe('no');
  });
});
