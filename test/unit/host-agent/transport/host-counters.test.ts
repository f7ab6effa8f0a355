import { HPCC_WINDOW } from '../../../../common/wire/hpcc/hpcc-transport';
import { dataFrame, eventsOf, must, patched } from '../../../support/frames';
import { runFeedback } from '../../../support/feedback-run';
import { flowTo, testHost } from '../../../support/hosts';
import { networkKeys } from '../../../support/notifications';
import { hostAwaitingAnswers, switchAnswer } from '../../../support/switch-answer';
import { seenFrame } from '../../../support/transport-frames';

describe('what a host counts', () => {
  it('are the packets that it has sent and received, by what they are', () => {
    const { hosts } = runFeedback({}, 20_000);
    const [sender, receiver] = hosts.map((host) => host.counters());
    expect(sender).toMatchObject({ dataSent: 20, acksReceived: 20, acksSent: 0, dataReceived: 0 });
    expect(receiver).toMatchObject({ dataReceived: 20, acksSent: 20, dataSent: 0 });
  });

  it('is no refused telemetry where all could be read', () => {
    for (const host of runFeedback({}, 20_000).hosts) {
      expect(host.counters().telemetryRefused).toBe(0);
    }
  });

  it('is a damaged frame as such, and not as a notification that was damaged', () => {
    const host = testHost(2, { coordination: { keys: networkKeys() } });
    // The checksum of IPv4 is wrong.
    host.handlePacket(0, patched(dataFrame(), 24, 0));
    expect(host.counters().packetsRejected.malformed).toBe(1);
    expect(host.coordination()?.malformed).toBe(0);
  });

  it('is a window that is older than the one in force, and changes nothing', () => {
    const feedback = { algorithmAt: 'receiver' } as const;
    const { driver, hosts } = runFeedback(feedback, 200_000);
    const windows = driver.sent.filter(({ packet }) => seenFrame(packet).type === HPCC_WINDOW);
    // The last window acknowledges the end of the flow, and the acknowledgement of it comes behind.
    expect(hosts[0].counters().acksLate).toBe(1);
    const sender = testHost(1, { feedback });
    sender.startFlow(0, flowTo(2, 0, 200_000));
    const window = () => sender.flowMetrics(0)?.congestion.windowBytes;
    for (let now = 0; sender.pollTransmit(now) !== undefined || now < 1e8; now += 1e5) continue;
    const [older, newer] = windows.map(({ packet }) => packet);
    sender.handlePacket(1e8, must(newer));
    const before = window();
    sender.handlePacket(1e8, must(older));
    expect([window(), sender.counters().acksLate]).toEqual([before, 1]);
  });

  it('is a window that it has not asked for as unrequested', () => {
    const { driver } = runFeedback({ algorithmAt: 'receiver' }, 20_000);
    const told = driver.sent.find(({ packet }) => seenFrame(packet).type === HPCC_WINDOW);
    const sender = testHost(1);
    sender.startFlow(0, flowTo(2, 0, 20_000));
    const before = sender.flowMetrics(0)?.congestion;
    sender.handlePacket(1, must(told?.packet));
    expect(sender.counters().packetsRejected.unrequested).toBe(1);
    expect(sender.flowMetrics(0)?.congestion).toEqual(before);
  });
});

describe('what a host says of a packet that it refuses', () => {
  it('is which flow it claims to be of, and where in it', () => {
    const sender = hostAwaitingAnswers({ feedback: {} });
    const hop = { timestamp: 3000, txBytes: 25_000, queueBytes: 600_000 };
    sender.handlePacket(300_000, switchAnswer(hop));
    expect(eventsOf(sender).at(-1)).toEqual({
      kind: 'packet-rejected',
      at: 300_000,
      reason: 'unrequested',
      detail: 'flow 0, generation 0, sequence 1000',
    });
  });

  it('is which flow cannot grow', () => {
    const host = testHost(1);
    const more = { bytes: 1, isLast: true };
    const message = 'flow 7 cannot grow: no open flow of that id is running';
    expect(() => host.appendToFlow(0, 7, more)).toThrow(message);
    host.startFlow(0, flowTo(2, 7, 1000));
    expect(() => host.appendToFlow(0, 7, more)).toThrow(message);
  });
});
