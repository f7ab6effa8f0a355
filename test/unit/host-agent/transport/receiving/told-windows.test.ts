import { readWindowRecord } from '../../../../../common/wire/hpcc/feedback-records';
import {
  HPCC_ACK,
  HPCC_FLAG_NACK,
  HPCC_FLAG_RATIO,
  HPCC_FLAG_RESPONSE,
  HPCC_PROBE,
  HPCC_TELEMETRY,
  HPCC_WINDOW,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import type { FeedbackOptions } from '../../../../../host-agent/feedback/feedback-plan';
import { must } from '../../../../support/frames';
import { ofType, runFeedback } from '../../../../support/feedback-run';
import { addressOf, flowTo, testHost } from '../../../../support/hosts';
import { pushHop } from '../../../../support/int-hop';
import { forged } from '../strangers';
import type { Answer } from './received-flows';
import { answersOf, receiverOf } from './received-flows';

const T = 5_000_000;

const typesOf = (answers: readonly Answer[]): number[] => answers.map(({ type }) => type);
const windowsOf = (answers: readonly Answer[]) =>
  answers
    .filter(({ type }) => type === HPCC_WINDOW)
    .map(({ body, sequence }) => ({ sequence, ...readWindowRecord(body, 0) }));

describe('the number of flows', () => {
  it('is told to a flow when it has changed, no sooner than a base RTT later', () => {
    const { take } = receiverOf({ feedback: { countsFlows: true } });
    const told = (flow: number, sequence: number, now: number) =>
      windowsOf(take({ flow, sequence }, now));
    const record = (flows: number, sequence: number) => ({
      flows,
      sequence,
      epoch: 0,
      windowBytes: 0,
    });
    expect(told(1, 0, 0)).toEqual([record(1, 8)]);
    expect(told(2, 0, 1_000_000)).toEqual([record(2, 8)]);
    expect(told(1, 8, T - 1)).toEqual([]);
    expect(told(1, 16, T)).toEqual([record(2, 24)]);
    expect(told(1, 24, 2 * T)).toEqual([]);
  });

  it('is told again after 64 base RTTs without a change', () => {
    const { take } = receiverOf({ feedback: { countsFlows: true } });
    expect(typesOf(take({ sequence: 0 }, 0))).toEqual([HPCC_WINDOW, HPCC_ACK]);
    expect(typesOf(take({ sequence: 8 }, 64 * T - 1))).toEqual([HPCC_ACK]);
    expect(typesOf(take({ sequence: 16 }, 64 * T))).toEqual([HPCC_WINDOW, HPCC_ACK]);
    expect(typesOf(take({ sequence: 24 }, 128 * T - 1))).toEqual([HPCC_ACK]);
  });
});

/** Six packets of data, each after a switch with an empty queue; what a receiver answers to one. */
function sixSegments(feedback: FeedbackOptions) {
  const [sender, { host }] = [testHost(1, { feedback }), receiverOf({ feedback })];
  sender.startFlow(0, flowTo(2, 7, 6000));
  const frames = [0, 1, 2, 3, 4, 5].map((i) => {
    const hop = { switchId: 1, portId: 1, queueBytes: 0, capacity: 100e9 };
    const timestamp = 1000 + 100 * i;
    return pushHop(must(sender.pollTransmit(i * 100_000)), { ...hop, timestamp, txBytes: 500 * i });
  });
  return (i: number): Answer[] => {
    host.handlePacket(500_000, must(frames[i]));
    return answersOf(host, 500_000);
  };
}

describe('an algorithm at the receiver', () => {
  it('tells its window at once of a gap and of the end, and else once per round', () => {
    const answersTo = sixSegments({ algorithmAt: 'receiver' });
    // The first packet has no predecessor to be compared with, so that the second one ends a round.
    // A window acknowledges what has come in order.
    for (const i of [0, 1]) {
      expect(answersTo(i)).toMatchObject([{ type: HPCC_WINDOW, sequence: 1000 * (i + 1) }]);
    }
    expect(typesOf(answersTo(2))).toEqual([HPCC_ACK]);
    expect(answersTo(4)).toMatchObject([
      { type: HPCC_WINDOW, sequence: 3000, flags: 0 },
      { type: HPCC_ACK, sequence: 3000, flags: HPCC_FLAG_NACK },
    ]);
    for (const i of [3, 4]) expect(typesOf(answersTo(i))).toEqual([HPCC_ACK]);
    expect(typesOf(answersTo(5))).toEqual([HPCC_WINDOW, HPCC_ACK]);
    // The same packet again is no end, and its telemetry is nobody's.
    expect(answersTo(5)).toMatchObject([{ type: HPCC_ACK, flags: 0, sequence: 6000, length: 0 }]);
  });

  it('has nothing to say of data without telemetry, that asked for none or met no switch', () => {
    const { take } = receiverOf({ feedback: { algorithmAt: 'receiver' } });
    expect(take({})).toMatchObject([{ type: HPCC_ACK, flags: 0, sequence: 8 }]);
    expect(typesOf(take({ intHopLimit: 8, sequence: 8 }))).toEqual([HPCC_ACK]);
  });

  it('answers a probe without telemetry all the same', () => {
    const feedback = { algorithmAt: 'receiver', collectBy: 'probe' } as const;
    const { take } = receiverOf({ feedback });
    expect(take({ type: HPCC_PROBE, length: 0, sequence: 3 })).toMatchObject([
      { type: HPCC_TELEMETRY, flags: HPCC_FLAG_RESPONSE, sequence: 3, length: 0 },
    ]);
  });

  it('tells its window once per round of probes too', () => {
    const { host } = receiverOf({ feedback: { algorithmAt: 'receiver', collectBy: 'probe' } });
    const answers = [1, 2, 3].map((sequence) => {
      const fields = { type: HPCC_PROBE, length: 0, sequence, intHopLimit: 8 } as const;
      const counters = { timestamp: 1000 + 100 * sequence, txBytes: 500 * sequence };
      const hop = { switchId: 1, portId: 1, queueBytes: 0, capacity: 100e9, ...counters };
      host.handlePacket(sequence, pushHop(forged(addressOf(1), fields), hop));
      return typesOf(answersOf(host, sequence));
    });
    const told = [HPCC_WINDOW, HPCC_TELEMETRY];
    expect(answers).toEqual([told, told, [HPCC_TELEMETRY]]);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('tells of a probe the window, and the flows if they are counted: %j', (countsFlows, flows) => {
    const feedback = { algorithmAt: 'receiver', collectBy: 'probe', countsFlows } as const;
    const [sender, { host }] = [testHost(1, { feedback }), receiverOf({ feedback })];
    sender.startFlow(0, flowTo(2, 7, 5000));
    const data = must(sender.pollTransmit(0));
    const empty = { switchId: 1, portId: 1, queueBytes: 0, capacity: 100e9 };
    const probe = pushHop(must(sender.pollTransmit(0)), { ...empty, timestamp: 1, txBytes: 0 });
    host.handlePacket(0, data);
    answersOf(host, 0);
    host.handlePacket(10, probe);
    const answers = answersOf(host, 10);
    expect(answers).toMatchObject([
      { type: HPCC_WINDOW, sequence: 1000 },
      { type: HPCC_TELEMETRY, flags: HPCC_FLAG_RESPONSE, sequence: 1, length: 0 },
    ]);
    expect(windowsOf(answers)).toMatchObject([{ flows, epoch: 1, windowBytes: 62_500 }]);
  });
});

describe('a receiver that hides links', () => {
  it('answers the first probe without a load, having nothing to compare with', () => {
    const { back } = runFeedback({ hidesLinks: true, collectBy: 'probe' }, 200_000);
    const answers = ofType(back, HPCC_TELEMETRY);
    const [first, ...others] = answers.slice(0, -1);
    // Nor has the last anything to say, of a flow that has been received whole.
    for (const one of [first, answers.at(-1)]) {
      expect(one).toMatchObject({ flags: HPCC_FLAG_RESPONSE, length: 0 });
    }
    expect(others.length).toBeGreaterThan(2);
    const flags = HPCC_FLAG_RESPONSE | HPCC_FLAG_RATIO;
    expect(others.every((one) => one.flags === flags && one.length === 8)).toBe(true);
  });

  it('acknowledges data without telemetry and tells nothing', () => {
    const { take } = receiverOf({ feedback: { hidesLinks: true } });
    expect(take({})).toMatchObject([{ type: HPCC_ACK, flags: 0, sequence: 8, length: 0 }]);
  });
});

describe('a receiver that notifies', () => {
  it('only acknowledges data without telemetry', () => {
    const { take } = receiverOf({ feedback: { returnBy: 'notification' } });
    expect(take({})).toMatchObject([{ type: HPCC_ACK, flags: 0, sequence: 8, length: 0 }]);
  });
});
