import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import type { WindowRecord } from '../../common/wire/hpcc/feedback-records';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionMetrics,
  LoadReport,
  Credit,
  Loss,
} from './congestion-control';

/**
 * A congestion control that stands before another one and passes on all that it does not change. What
 * the transport can tell is listed here once, so that nothing is lost on the way to the inner one.
 */
export abstract class DelegatingControl implements CongestionControl {
  protected abstract readonly inner: CongestionControl;

  get windowBytes(): Bytes {
    return this.inner.windowBytes;
  }

  get credit(): Credit | undefined {
    return this.inner.credit;
  }

  get ignoresFeedback(): boolean {
    return this.inner.ignoresFeedback === true;
  }

  get pacingRate(): BitsPerSecond {
    return this.inner.pacingRate;
  }

  onAck(ack: Acknowledgement): AckKind {
    return this.inner.onAck(ack);
  }

  onLoad(report: LoadReport): AckKind {
    return this.inner.onLoad(report);
  }

  onFlowCount(flows: number): void {
    this.inner.onFlowCount(flows);
  }

  onIdleRestart(now: Instant): void {
    this.inner.onIdleRestart(now);
  }

  onBaseRtt(baseRtt: Duration): void {
    this.inner.onBaseRtt?.(baseRtt);
  }

  onCongestionNotification(now: Instant): void {
    this.inner.onCongestionNotification?.(now);
  }

  onWindow(now: Instant, record: WindowRecord): boolean {
    return this.inner.onWindow?.(now, record) ?? false;
  }

  onLoss(loss: Loss): void {
    this.inner.onLoss?.(loss);
  }

  get wakeupAt(): Instant {
    return this.inner.wakeupAt ?? Infinity;
  }

  onWakeup(now: Instant): void {
    this.inner.onWakeup?.(now);
  }

  metrics(): CongestionMetrics {
    return this.inner.metrics();
  }
}
