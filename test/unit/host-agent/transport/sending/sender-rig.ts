import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  LoadReport,
} from '../../../../../host-agent/algorithm/congestion-control';
import { HpccppWindow } from '../../../../../host-agent/algorithm/window-form';
import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import type {
  FlowSenderOptions,
  Segment,
  SenderSettings,
} from '../../../../../host-agent/transport/sending/sender-options';
import { FlowSender } from '../../../../../host-agent/transport/sending/sender';

export const LINK = { linkRate: 100e9, baseRtt: 4_000_000 };

/** Window and rate as a test sets them; records what it is told. */
export class FixedControl implements CongestionControl {
  readonly acks: Acknowledgement[] = [];
  readonly loads: LoadReport[] = [];
  readonly restarts: number[] = [];
  windowBytes = 3000;
  pacingRate = 100e9;

  onAck(ack: Acknowledgement): AckKind {
    this.acks.push(ack);
    return 'fast';
  }

  onLoad(report: LoadReport): AckKind {
    this.loads.push(report);
    return 'fast';
  }

  onFlowCount(): void {
    // A fixed window has no step.
  }

  onIdleRestart(now: number): void {
    this.restarts.push(now);
  }

  metrics() {
    return { ...new HpccppWindow(LINK).metrics(), windowBytes: this.windowBytes };
  }
}

export function rig(given: Partial<FlowSenderOptions & SenderSettings> = {}) {
  const control = new FixedControl();
  const options = {
    bytes: 10_000,
    isOpen: false,
    startedAt: 0,
    mss: 1000,
    headerLength: 74,
    expectedHops: 0,
    baseRtt: LINK.baseRtt,
    retransmissionTimeout: 500_000_000,
    congestionControl: control,
    ...given,
  };
  const sender = new FlowSender(options, options);
  return { control, sender };
}

/** 1074 bytes at 100 Gb/s. */
export const SPACING = 85_920;

/** Takes all segments that may leave from `now` on, waiting for pacing only. */
export function drain(sender: FlowSender, now: number): { segments: Segment[]; now: number } {
  const segments: Segment[] = [];
  let at = now;
  for (;;) {
    while (sender.canSend(at)) segments.push({ ...sender.takeSegment(at) });
    const wakeup = sender.wakeupAfter(at);
    if (wakeup - at > 1_000_000) return { segments, now: at };
    at = wakeup;
  }
}

export const ackOf = (ackSequence: number, isNack = false) => ({
  ackSequence,
  isNack,
  sample: NO_TELEMETRY,
});

export const starts = (segments: readonly Segment[]): number[] => segments.map((s) => s.sequence);
