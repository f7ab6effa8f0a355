import type { BitsPerSecond, Bytes, Instant } from '../../common/units/units';
import type { WindowRecord } from '../../common/wire/hpcc/feedback-records';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionControlFactory,
  CongestionEvent,
  CongestionMetrics,
  FlowEnvironment,
  LoadReport,
  Loss,
} from '../algorithm/congestion-control';
import { DelegatingControl } from '../algorithm/delegating-control';
import { LoadMeter } from '../feedback/load-meter';

/**
 * Below this load no algorithm has a reason to slow a flow down, and a link drains the queue that it
 * has: the default of eta.
 */
const SAFE_LOAD = 0.95;

/**
 * Any congestion control, acting only while the flow is under control.
 *
 *     controlled   what the algorithm says counts
 *     free         window and rate may rise and never fall; the path is measured all the same
 *
 * A free flow is safe at {@link SAFE_LOAD} of its own link: alone on any path it then leaves room for
 * the queue of others that have moved away to drain.
 *
 * A free flow obeys no reduction, so telling the algorithm of a full link would make it reduce again
 * and again without effect, down to the least window, from where the flow would start once it comes
 * under control. So a free flow shows its algorithm only what is measured on paths with room, by
 * which it recovers from an earlier reduction.
 */
export class GatedControl extends DelegatingControl {
  protected readonly inner: CongestionControl;
  readonly #meter: LoadMeter;
  readonly #isControlled: () => boolean;
  readonly #safeRate: BitsPerSecond;
  #window: Bytes;
  #rate: BitsPerSecond;
  #wasControlled = false;
  #held = 0;

  constructor(
    algorithm: CongestionControlFactory,
    environment: FlowEnvironment & { readonly maxHops: number },
    isControlled: () => boolean,
  ) {
    super();
    const { sink } = environment;
    this.#isControlled = isControlled;
    this.#meter = new LoadMeter(environment);
    this.inner = algorithm({
      ...environment,
      ...(sink !== undefined && { sink: (event) => sink(this.#inEffect(event)) }),
    });
    this.#safeRate = SAFE_LOAD * environment.linkRate;
    this.#window = this.inner.windowBytes;
    this.#rate = Math.min(this.inner.pacingRate, this.#safeRate);
  }

  override get windowBytes(): Bytes {
    return this.#isControlled() ? this.inner.windowBytes : this.#window;
  }

  /** A free flow is not to be controlled. */
  override get ignoresFeedback(): boolean {
    return !this.#isControlled();
  }

  override get pacingRate(): BitsPerSecond {
    return this.#isControlled() ? this.inner.pacingRate : this.#rate;
  }

  /** Measurements of a full path that a free flow did not act on. */
  get held(): number {
    return this.#held;
  }

  /** The CC indicator was set or cleared. */
  onChange(now: Instant): void {
    const isControlled = this.#isControlled();
    if (isControlled === this.#wasControlled) return;
    this.#wasControlled = isControlled;
    if (isControlled) {
      // The telemetry that the algorithm saw last may be old.
      this.inner.onIdleRestart(now);
    } else {
      this.#window = this.inner.windowBytes;
      this.#rate = Math.min(this.inner.pacingRate, this.#safeRate);
    }
  }

  override onAck(ack: Acknowledgement): AckKind {
    const { now, telemetry, isIncomplete } = ack;
    const load = this.#meter.measure(now, telemetry, isIncomplete);
    if (this.#isControlled()) return this.inner.onAck(ack);
    return load === undefined ? 'ignored' : this.#rise(load.ratio, () => this.inner.onAck(ack));
  }

  override onLoad(report: LoadReport): AckKind {
    if (this.#isControlled()) return this.inner.onLoad(report);
    return this.#rise(report.ratio, () => this.inner.onLoad(report));
  }

  /** Windows of a receiver: a free flow follows those that are larger. */
  override onWindow(now: Instant, record: WindowRecord): boolean {
    const isNew = super.onWindow(now, record);
    if (isNew && !this.#isControlled()) this.#follow();
    return isNew;
  }

  /** A free flow obeys no reduction, so its algorithm is told of none. */
  override onLoss(loss: Loss): void {
    if (this.#isControlled()) super.onLoss(loss);
  }

  override onCongestionNotification(now: Instant): void {
    if (this.#isControlled()) super.onCongestionNotification(now);
  }

  override metrics(): CongestionMetrics {
    const { windowBytes, pacingRate } = this;
    return { ...this.inner.metrics(), windowBytes, pacingRate };
  }

  /** Observers see the window that counts. */
  #inEffect(event: CongestionEvent): CongestionEvent {
    if (event.kind !== 'window-updated' || this.#isControlled()) return event;
    const windowBytes = Math.max(event.windowBytes, this.#window);
    const pacingRate = Math.max(Math.min(event.pacingRate, this.#safeRate), this.#rate);
    return { ...event, windowBytes, pacingRate };
  }

  #rise(ratio: number, show: () => AckKind): AckKind {
    if (ratio >= SAFE_LOAD) {
      this.#held++;
      return 'ignored';
    }
    const kind = show();
    this.#follow();
    return kind;
  }

  #follow(): void {
    this.#window = Math.max(this.#window, this.inner.windowBytes);
    this.#rate = Math.max(this.#rate, Math.min(this.inner.pacingRate, this.#safeRate));
  }
}

/** The gate before the control of one flow, which whoever knows what switches want opens and closes. */
export class FlowGate {
  readonly #maxHops: number;
  readonly #isControlled: () => boolean;
  #control: GatedControl | undefined = undefined;

  /**
   * @param maxHops switches that may write into a packet.
   * @param isControlled true while the algorithm may slow the flow down.
   */
  constructor(maxHops: number, isControlled: () => boolean) {
    this.#maxHops = maxHops;
    this.#isControlled = isControlled;
  }

  /** Puts the gate before the control that is made. */
  before(make: CongestionControlFactory): CongestionControlFactory {
    return (environment) => {
      const options = { ...environment, maxHops: this.#maxHops };
      this.#control = new GatedControl(make, options, this.#isControlled);
      return this.#control;
    };
  }

  /** The flow has come under control, or is free again. */
  onChange(now: Instant): void {
    this.#control?.onChange(now);
  }
}
