import type { Packet } from '../../../../common/packet/packet';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { readLoadRatio, readWindowRecord } from '../../../../common/wire/hpcc/feedback-records';
import {
  HPCC_ACK,
  HPCC_DATA,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_NACK,
  HPCC_FLAG_RATIO,
  HPCC_FLAG_RESPONSE,
  HPCC_PROBE,
  HPCC_TELEMETRY,
  HPCC_WINDOW,
} from '../../../../common/wire/hpcc/hpcc-transport';
import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import type { HostAgent } from '../../../../host-agent/transport/host';
import { must } from '../../../support/frames';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import { FEEDBACK_DELAY, hopNetwork, ofType, runFeedback } from '../../../support/feedback-run';
import { PairDriver } from '../../../support/pair-driver';
import { hostAwaitingAnswers, switchAnswer } from '../../../support/switch-answer';
import { seenFrame } from '../../../support/transport-frames';
import { receiverOf } from './receiving/received-flows';

const MILLISECOND = 1_000_000_000;

describe('telemetry in one of four data packets', () => {
  const run = () => runFeedback({ collectEvery: 4 });

  it('is asked for by the first and every fourth after it', () => {
    const { forward } = run();
    const asking = ofType(forward, HPCC_DATA).map(({ hasInt }) => hasInt);
    expect(asking).toEqual(asking.map((_, i) => i % 4 === 0));
  });

  it('is echoed by their acknowledgements; the others have none', () => {
    const { back } = run();
    const echoes = back.map(({ flags }) => (flags & HPCC_FLAG_ECHO) !== 0);
    expect(echoes).toEqual(echoes.map((_, i) => i % 4 === 0));
  });

  it('leaves no rejected telemetry behind', () => {
    const { hosts } = run();
    expect(hosts[0].counters().telemetryRefused).toBe(0);
  });
});

describe('notifications', () => {
  const run = () => runFeedback({ returnBy: 'notification' });

  it('bring the telemetry of each data packet in a packet of its own', () => {
    const { back } = run();
    const notes = ofType(back, HPCC_TELEMETRY);
    expect(notes).toHaveLength(20);
    expect(notes.every(({ flags, length }) => flags === HPCC_FLAG_ECHO && length === 48)).toBe(
      true,
    );
    expect(notes.map(({ sequence }) => sequence)).toEqual(notes.map((_, i) => (i + 1) * 1000));
  });

  it('acknowledge, so that only the end has an acknowledgement of its own, without telemetry', () => {
    const { back, hosts } = run();
    expect(ofType(back, HPCC_ACK)).toMatchObject([{ flags: 0, length: 0, sequence: 20_000 }]);
    expect(hosts[0].counters()).toMatchObject({ dataSent: 20, acksReceived: 21 });
  });

  it('open the window and stop the timer by themselves', () => {
    const feedback = { returnBy: 'notification' } as const;
    const [sender, receiver] = [testHost(1, { feedback }), testHost(2, { feedback })];
    sender.startFlow(0, flowTo(2, 7, 5000));
    receiver.handlePacket(0, must(sender.pollTransmit(0)));
    const notification = must(receiver.pollTransmit(0));
    expect(receiver.pollTransmit(0)).toBeUndefined();
    sender.handlePacket(0, notification);
    expect(sender.flowMetrics(7)).toMatchObject({ acknowledgedBytes: 1000, inflightBytes: 0 });
    sender.handleWakeup(PS_PER_SECOND);
    expect(sender.flowMetrics(7)).toMatchObject({ timeouts: 0 });
  });

  it('do not take the place of the answer to a gap', () => {
    const { take } = receiverOf({ feedback: { returnBy: 'notification' } });
    take({ sequence: 0, intHopLimit: 8 });
    const answers = take({ sequence: 16, intHopLimit: 8 });
    expect(answers.map(({ type, sequence }) => [type, sequence])).toEqual([
      [HPCC_TELEMETRY, 8],
      [HPCC_ACK, 8],
    ]);
    expect(answers[1]?.flags).toBe(HPCC_FLAG_NACK);
  });
});

describe('probes', () => {
  const run = () => {
    const seen = runFeedback({ collectBy: 'probe' }, 200_000);
    return { ...seen, probes: ofType(seen.forward, HPCC_PROBE) };
  };

  it("ask in place of data, from the flow's own port", () => {
    const { forward, probes } = run();
    expect(ofType(forward, HPCC_DATA).some(({ hasInt }) => hasInt)).toBe(false);
    expect(probes.every(({ hasInt, length }) => hasInt && length === 0)).toBe(true);
    expect(new Set(forward.map(({ sourcePort }) => sourcePort)).size).toBe(1);
  });

  it('leave with the first data, twice, and then one per round trip', () => {
    const { forward, probes } = run();
    expect(forward.slice(0, 4).map(({ type }) => type)).toEqual([
      HPCC_DATA,
      HPCC_PROBE,
      HPCC_DATA,
      HPCC_PROBE,
    ]);
    const gaps = probes.slice(2).map(({ at }, i) => at - (probes[i + 1]?.at ?? 0));
    expect(gaps.every((gap) => gap >= 2 * FEEDBACK_DELAY)).toBe(true);
    expect(probes.length).toBeGreaterThan(4);
  });

  it('are answered once each, with what the switches wrote', () => {
    const { back, probes, hosts } = run();
    const answers = ofType(back, HPCC_TELEMETRY);
    expect(answers.map(({ sequence }) => sequence)).toEqual(probes.map((_, i) => i + 1));
    const flags = HPCC_FLAG_RESPONSE | HPCC_FLAG_ECHO;
    expect(answers.every((one) => one.flags === flags && one.length === 48)).toBe(true);
    expect(hosts[0].counters().packetsRejected.unrequested).toBe(0);
  });
});

describe('probes that acknowledgements of data answer', () => {
  const PLAN = { collectBy: 'probe', returnBy: 'ack' } as const;
  const probed = { type: HPCC_PROBE, length: 0, sequence: 1, intHopLimit: 8 } as const;

  it('have no answers of their own, and steer the flow as responses do', () => {
    const { back, forward, hosts } = runFeedback(PLAN, 200_000);
    const probes = ofType(forward, HPCC_PROBE).length;
    const echoes = ofType(back, HPCC_ACK).filter(({ flags }) => (flags & HPCC_FLAG_ECHO) !== 0);
    expect(probes).toBeGreaterThan(4);
    expect(echoes.length).toBeGreaterThanOrEqual(probes - 1);
    // The last one finds all data acknowledged.
    expect(ofType(back, HPCC_TELEMETRY).length).toBeLessThanOrEqual(1);
    expect(hosts[0].counters().packetsRejected.unrequested).toBe(0);
  });

  it('ask for as many round trips as responses let them', () => {
    const count = (feedback: FeedbackOptions) =>
      ofType(runFeedback(feedback, 200_000).forward, HPCC_PROBE).length;
    expect(Math.abs(count(PLAN) - count({ collectBy: 'probe' }))).toBeLessThanOrEqual(1);
  });

  it('come back with the next data', () => {
    const { take } = receiverOf({ feedback: PLAN });
    take({ sequence: 0 });
    expect(take(probed)).toEqual([]);
    const [answer] = take({ sequence: 8 });
    expect(answer).toMatchObject({ type: HPCC_ACK, sequence: 16, flags: HPCC_FLAG_ECHO });
    expect(take({ sequence: 16 })).toMatchObject([{ type: HPCC_ACK, flags: 0, length: 0 }]);
  });

  it('come back without data, when none has come for a while', () => {
    const { host, take } = receiverOf({ feedback: PLAN });
    take({ sequence: 0 });
    take(probed);
    const at = host.pollWakeup() ?? NaN;
    host.handleWakeup(at);
    const answer = seenFrame(must(host.pollTransmit(at)));
    expect(answer).toMatchObject({ type: HPCC_ACK, sequence: 8, flags: HPCC_FLAG_ECHO });
  });

  it('are answered by responses before there is data to acknowledge', () => {
    const { take } = receiverOf({ feedback: PLAN });
    const flags = HPCC_FLAG_RESPONSE | HPCC_FLAG_ECHO;
    expect(take(probed)).toMatchObject([{ type: HPCC_TELEMETRY, sequence: 1, flags }]);
  });
});

describe('the algorithm at the receiver', () => {
  const run = () => {
    const seen = runFeedback({ algorithmAt: 'receiver' }, 200_000);
    return { ...seen, windows: ofType(seen.back, HPCC_WINDOW) };
  };

  it('answers the first packet with the window, and then once per round trip', () => {
    const { forward, back, windows } = run();
    expect(back[0]?.type).toBe(HPCC_WINDOW);
    const duration = (forward.at(-1)?.at ?? 0) - (forward[0]?.at ?? 0);
    expect(windows.length).toBeGreaterThanOrEqual(3);
    // Besides the rounds there are answers to the first packet and to the last.
    expect(windows.length).toBeLessThanOrEqual(3 + duration / (2 * FEEDBACK_DELAY));
    const records = windows.map(({ bytes, bodyAt }) => readWindowRecord(bytes, bodyAt));
    expect(records.map(({ epoch }) => epoch)).toEqual(records.map((_, i) => i + 1));
    expect(records[0]?.windowBytes).toBe(62_500);
  });

  it('finds the epochs that it told in the data', () => {
    const { forward } = run();
    const marks = new Set(ofType(forward, HPCC_DATA).map(({ flags }) => flags >>> 4));
    expect([...marks].slice(0, 3)).toEqual([0, 1, 2]);
  });

  it('leaves the acknowledgements to reliability', () => {
    const { back } = run();
    expect(ofType(back, HPCC_ACK).every(({ length }) => length === 0)).toBe(true);
  });
});

describe('the algorithm at the receiver, on probes', () => {
  const run = () => {
    const seen = runFeedback({ algorithmAt: 'receiver', collectBy: 'probe' }, 200_000);
    const { forward, back } = seen;
    return { ...seen, probes: ofType(forward, HPCC_PROBE), windows: ofType(back, HPCC_WINDOW) };
  };

  it('answers probes without telemetry, and with the window before', () => {
    const { back, probes } = run();
    const answers = ofType(back, HPCC_TELEMETRY);
    expect(answers.map(({ sequence }) => sequence)).toEqual(probes.map((_, i) => i + 1));
    expect(answers.every((one) => one.flags === HPCC_FLAG_RESPONSE && one.length === 0)).toBe(true);
    expect(back.findIndex(({ type }) => type === HPCC_WINDOW)).toBeLessThan(
      back.findIndex(({ type }) => type === HPCC_TELEMETRY),
    );
  });

  it('ends a round with each probe that left under the window of the one before', () => {
    const { probes, windows } = run();
    expect(windows.length).toBeGreaterThanOrEqual(3);
    expect(windows.length).toBeLessThanOrEqual(probes.length);
    const marks = probes.map(({ flags }) => flags >>> 4);
    expect(marks.slice(0, 4)).toEqual([0, 0, 2, 3]);
  });
});

describe('hidden links', () => {
  it('show as load and interval only, from the second packet on', () => {
    const { back } = runFeedback({ hidesLinks: true });
    const [first, ...others] = back;
    expect(first?.flags).toBe(0);
    expect(others.every(({ flags, length }) => flags === HPCC_FLAG_RATIO && length === 8)).toBe(
      true,
    );
    const loads = others.map(({ bytes, bodyAt }) => readLoadRatio(bytes, bodyAt));
    // 1106 bytes leave in the time of 1106 bytes at line rate: u = 1, but for whole nanoseconds.
    for (const { ratio, intervalNs } of loads) {
      expect(ratio).toBeGreaterThan(0.97);
      expect(ratio).toBeLessThan(1.02);
      expect(intervalNs).toBeGreaterThanOrEqual(88);
    }
  });
});

describe('counted flows', () => {
  it('are told when their number changes, at most once per base RTT and flow', () => {
    const feedback = { countsFlows: true };
    const hosts = [testHost(1, { feedback }), testHost(2, { feedback })] as const;
    const driver = new PairDriver(hosts, { delay: FEEDBACK_DELAY, network: hopNetwork() });
    for (const id of [0, 1, 2]) hosts[0].startFlow(0, flowTo(2, id, 100_000));
    driver.run(MILLISECOND);
    const told = driver.sent
      .filter(({ packet }) => seenFrame(packet).type === HPCC_WINDOW)
      .map(({ packet }) => readWindowRecord(packet.bytes, seenFrame(packet).bodyAt));
    expect(told.every(({ windowBytes }) => windowBytes === 0)).toBe(true);
    expect(told.slice(0, 3).map(({ flows }) => flows)).toEqual([1, 2, 3]);
    expect(told.length).toBeLessThanOrEqual(6);
  });
});

describe('the answer of a switch', () => {
  const window = (host: HostAgent): number => host.flowMetrics(0)?.congestion.windowBytes ?? NaN;

  it('is asked for by a flag in the INT header of the data', () => {
    const sender = testHost(1, { feedback: { asksSwitches: true } });
    sender.startFlow(0, flowTo(2, 0, 1000));
    expect((sender.pollTransmit(0) as Packet).bytes[56]).toBe(0x20);
  });

  it('acts as soon as it comes, if it is newer than what acknowledgements said', () => {
    const sender = hostAwaitingAnswers();
    const before = window(sender);
    sender.handlePacket(
      300_000,
      switchAnswer({ timestamp: 3000, txBytes: 25_000, queueBytes: 600_000 }),
    );
    expect(window(sender)).toBeLessThan(before / 2);
    expect(sender.counters().packetsRejected.unrequested).toBe(0);
  });

  it('goes to the algorithm where that is at the receiver, which then tells its window', () => {
    const feedback = { asksSwitches: true, algorithmAt: 'receiver' } as const;
    const [sender, receiver] = [testHost(1, { feedback }), testHost(2, { feedback })];
    sender.startFlow(0, flowTo(2, 0, 100_000));
    const zero = { switchId: 1, portId: 1, txBytes: 0, queueBytes: 300_000, capacity: 100e9 };
    receiver.handlePacket(
      0,
      pushHop(sender.pollTransmit(0) as Packet, { ...zero, timestamp: 1000 }),
    );
    while (receiver.pollTransmit(0) !== undefined);
    const newer = { timestamp: 3000, txBytes: 25_000, queueBytes: 600_000 };
    receiver.handlePacket(10, switchAnswer(newer, { toReceiver: true }));
    const told = receiver.pollTransmit(10) as Packet;
    expect(seenFrame(told).type).toBe(HPCC_WINDOW);
    expect(readWindowRecord(told.bytes, seenFrame(told).bodyAt).windowBytes).toBeLessThan(31_250);
    // A receiver that runs no algorithm has asked for nothing.
    const other = testHost(2);
    other.handlePacket(10, switchAnswer(newer, { toReceiver: true }));
    expect(other.counters().packetsRejected.unrequested).toBe(1);
  });

  it('is too late with an older record', () => {
    const sender = hostAwaitingAnswers();
    const before = window(sender);
    sender.handlePacket(
      300_000,
      switchAnswer({ timestamp: 1000, txBytes: 0, queueBytes: 600_000 }),
    );
    expect(window(sender)).toBe(before);
    expect(sender.counters().acksLate).toBe(1);
  });

  it('is refused by who did not ask, and of data that was never sent', () => {
    const hop = { timestamp: 3000, txBytes: 25_000, queueBytes: 600_000 };
    const sender = hostAwaitingAnswers({ feedback: {} });
    sender.handlePacket(300_000, switchAnswer(hop));
    expect(sender.counters().packetsRejected.unrequested).toBe(1);
    const early = testHost(1, { feedback: { asksSwitches: true } });
    early.startFlow(0, flowTo(2, 0, 5000));
    early.pollTransmit(0);
    early.handlePacket(1, switchAnswer(hop));
    expect(early.counters().packetsRejected['acknowledges-unsent']).toBe(1);
  });
});

describe('a plan of feedback', () => {
  it.each([
    [{ collectEvery: 0 }, 'collectEvery must be an integer at least 1'],
    [{ acknowledgeEvery: 1.5 }, 'acknowledgeEvery must be an integer'],
    [{ acknowledgeDelay: 0 }, 'acknowledgeDelay must be'],
    [
      { algorithmAt: 'receiver', collectBy: 'probe', returnBy: 'response' },
      'keeps the telemetry and returns windows',
    ],
  ] as const)('is refused if it is %j', (feedback, message) => {
    expect(() => testHost(1, { feedback })).toThrow(message);
  });

  it.each([{ hidesLinks: true }, { algorithmAt: 'receiver' }] as const)(
    'is refused with a choice of paths if it is %j',
    (feedback) => {
      const pathSelection = { paths: 2 };
      expect(() => testHost(1, { feedback, pathSelection })).toThrow(
        'needs the links of each path',
      );
    },
  );
});
