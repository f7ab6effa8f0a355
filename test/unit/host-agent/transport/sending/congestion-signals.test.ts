import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  Loss,
} from '../../../../../host-agent/algorithm/congestion-control';
import { FixedRate } from '../../../../../host-agent/algorithm/fixed-rate';
import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import { FlowSender } from '../../../../../host-agent/transport/sending/sender';

/** Listens to all that a transport can tell. */
class Listener extends FixedRate implements CongestionControl {
  readonly acks: Acknowledgement[] = [];
  readonly losses: Loss[] = [];
  readonly wakeups: number[] = [];
  wakeupAt = Infinity;

  override onAck(ack?: Acknowledgement): AckKind {
    if (ack !== undefined) this.acks.push(ack);
    return super.onAck();
  }

  onLoss(loss: Loss): void {
    this.losses.push(loss);
  }

  onWakeup(now: number): void {
    this.wakeups.push(now);
    this.wakeupAt = Infinity;
  }
}

function rig(reorderSpan?: number) {
  const control = new Listener(100e9);
  const options = { bytes: 100_000, isOpen: false, startedAt: 0, congestionControl: control };
  const settings = { mss: 1000, headerLength: 74, expectedHops: 0, baseRtt: 4_000_000 };
  const sender = new FlowSender(options, {
    ...settings,
    retransmissionTimeout: 500_000_000,
    ...(reorderSpan !== undefined && { reorderSpan }),
  });
  const send = (count: number): void => {
    for (let i = 0; i < count; i++) sender.takeSegment(sender.wakeupAfter(0) === 0 ? 0 : i * 1e6);
  };
  send(5);
  return { control, sender };
}

const ack = (ackSequence: number) => ({ ackSequence, isNack: false, sample: NO_TELEMETRY });

describe('what a transport tells its congestion control', () => {
  test('the echo of a mark, of this acknowledgement only', () => {
    const { control, sender } = rig();
    sender.handleAck(6e6, { ...ack(1000), isMarked: true });
    sender.handleAck(7e6, ack(2000));
    expect(control.acks.map(({ isMarked }) => isMarked)).toEqual([true, false]);
  });

  test('no mark with what comes apart from acknowledgements', () => {
    const { control, sender } = rig();
    sender.handleNotification(6e6, 1000, NO_TELEMETRY);
    sender.handleAck(7e6, { ...ack(1000), isMarked: true });
    sender.handleNotification(8e6, 2000, NO_TELEMETRY);
    expect(control.acks.map(({ isMarked }) => isMarked)).toEqual([false, true, false]);
  });

  test('the round-trip time of a packet that says when it left, and the load of its path', () => {
    const { control, sender } = rig();
    const sample = { ...NO_TELEMETRY, load: 0.75, sentAtNs: 1000 };
    sender.handleAck(6e6, { ...ack(1000), sample });
    sender.handleAck(7e6, { ...ack(2000), sample: { ...sample, sentAtNs: undefined } });
    const heard = control.acks.map(({ rtt, load, telemetry }) => [rtt, load, telemetry]);
    expect(heard).toEqual([
      [5e6, 0.75, []],
      [undefined, 0.75, []],
    ]);
  });

  test('a gap that the receiver asks to fill, and a silence', () => {
    const { control, sender } = rig();
    sender.handleAck(6e6, { ...ack(2000), isNack: true });
    sender.takeSegment(7e6);
    sender.handleWakeup(600e6);
    expect(control.losses).toEqual([
      { kind: 'gap', sequence: 2000, nextSequence: 5000, now: 6e6 },
      { kind: 'timeout', sequence: 2000, nextSequence: 5000, now: 600e6 },
    ]);
  });

  test('segments that are lost together, once', () => {
    const { control, sender } = rig(1e6);
    for (const to of [3000, 4000, 5000]) {
      const blocks = [{ from: 2000, to }];
      sender.handleAck(to * 1e4, { ...ack(0), blocks });
    }
    expect(control.losses.map(({ kind, sequence }) => [kind, sequence])).toEqual([['gap', 0]]);
  });

  test('a loss that the first acknowledgement tells of', () => {
    const { control, sender } = rig(1e6);
    sender.handleAck(6e6, { ...ack(0), blocks: [{ from: 4000, to: 5000 }] });
    const lost = { kind: 'gap', sequence: 0, nextSequence: 5000, now: 6e6 };
    expect(control.losses).toEqual([lost]);
  });

  test('that it is time, when it wants to be woken', () => {
    const { control, sender } = rig();
    control.wakeupAt = 9e6;
    expect(sender.wakeupAfter(8e6)).toBe(9e6);
    sender.handleWakeup(8e6);
    sender.handleWakeup(9e6);
    expect(control.wakeups).toEqual([9e6]);
  });
});
