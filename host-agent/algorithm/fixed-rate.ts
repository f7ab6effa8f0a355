import type { BitsPerSecond } from '../../common/units/units';
import type { AckKind, CongestionControl, CongestionMetrics } from './congestion-control';

/** Stands for traffic that nothing slows down: it keeps its rate whatever it is told. */
export class FixedRate implements CongestionControl {
  /** More than any path holds, and small enough for charts and files. */
  readonly windowBytes = 2 ** 30;
  readonly ignoresFeedback = true;
  #acks = 0;

  constructor(readonly pacingRate: BitsPerSecond) {}

  onAck(): AckKind {
    this.#acks++;
    return 'ignored';
  }

  onLoad(): AckKind {
    return this.onAck();
  }

  onFlowCount(): void {
    return;
  }

  onIdleRestart(): void {
    return;
  }

  metrics(): CongestionMetrics {
    const { windowBytes, pacingRate } = this;
    return {
      windowBytes,
      referenceWindowBytes: windowBytes,
      pacingRate,
      normalizedInflight: 0,
      incStage: 0,
      acksProcessed: this.#acks,
      commits: 0,
      telemetryRejected: 0,
      telemetryStale: 0,
      pathChanges: 0,
    };
  }
}
