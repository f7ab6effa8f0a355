import { hpccppFactory } from '../../../../../host-agent/algorithm/window-form';
import { FlowSender } from '../../../../../host-agent/transport/sending/sender';
import type {
  FlowSenderOptions,
  SenderSettings,
} from '../../../../../host-agent/transport/sending/sender-options';
import { hopRecord } from '../../../../support/telemetry';

const BASE_RTT = 4_000_000;
const LINK_RATE = 100e9;
const MSS = 1000;
const SEGMENTS = 40;

/** A sender with its whole window of 40 segments in flight, and what it is told by telemetry. */
function rig() {
  const congestionControl = hpccppFactory()({ linkRate: LINK_RATE, baseRtt: BASE_RTT });
  const options: FlowSenderOptions & SenderSettings = {
    bytes: SEGMENTS * MSS,
    isOpen: false,
    startedAt: 0,
    mss: MSS,
    headerLength: 74,
    expectedHops: 1,
    baseRtt: BASE_RTT,
    retransmissionTimeout: 500_000_000,
    congestionControl,
  };
  const sender = new FlowSender(options, options);
  let now = 0;
  for (let sent = 0; sent < SEGMENTS; sent++) {
    while (!sender.canSend(now)) now = sender.wakeupAfter(now);
    sender.takeSegment(now);
  }
  // A link that is full, with a queue of two round trips behind it.
  const acknowledge = (ackSequence: number, isNack = false): void => {
    now += 100_000;
    const timestamp = now / 1000;
    const hop = { capacity: LINK_RATE, timestamp, txBytes: timestamp * 12.5, queueBytes: 100_000 };
    const telemetry = [hopRecord({ ...hop, switchId: 1 })];
    const sample = { kind: 'links' as const, telemetry, isIncomplete: false };
    sender.handleAck(now, { ackSequence, isNack, sample });
  };
  return { sender, acknowledge, metrics: () => congestionControl.metrics() };
}

describe('the rounds of a sender', () => {
  it('do not end with each byte that left before the flow went back, as that was not lost', () => {
    const { sender, acknowledge, metrics } = rig();
    acknowledge(0, true);
    expect(sender.nextSequence).toBe(0);
    for (let i = 1; i <= 20; i++) acknowledge(i * MSS);
    const { referenceWindowBytes: first } = metrics();
    for (let i = 21; i < SEGMENTS; i++) acknowledge(i * MSS);
    // Acknowledgements of one flight: the reference window changes once.
    expect(metrics().referenceWindowBytes).toBe(first);
    expect(metrics().windowBytes).toBeGreaterThan(10_000);
  });

  it('end as ever when what is sent again is what arrives', () => {
    const { sender, acknowledge, metrics } = rig();
    acknowledge(0, true);
    const commits = [1, 2, 3].map((segment) => {
      sender.takeSegment(segment * 1_000_000_000);
      acknowledge(segment * MSS);
      return metrics().commits;
    });
    expect(commits).toEqual([1, 2, 3]);
  });
});
