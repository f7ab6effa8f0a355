import type { Duration, Instant } from '../../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionControlFactory,
  CongestionMetrics,
  FlowEnvironment,
  TelemetryRejection,
} from '../congestion-control';
import { DelegatingControl } from '../delegating-control';
import type { PlausibilityLimits } from '../plausible-telemetry';
import { CONTRADICTION_RTTS } from '../telemetry-judge';
import { TelemetryScreen } from '../telemetry-screen';
import type { HpccppTuning } from '../window-form';

/** Links that packets have room for, unless the host says otherwise. */
const MAX_HOPS = 8;

/** Telemetry that the network cannot have sent; missing and late records are the algorithm's own affair. */
const REFUSED: ReadonlySet<TelemetryRejection> = new Set([
  'too-many-hops',
  'unknown-link',
  'implausible',
  'stale',
]);

/**
 * Plausibility for algorithms that do not judge what they hear: telemetry that the network cannot have
 * sent does not reach the inner control, which hears the rest of the acknowledgement.
 */
class PlausibleControl extends DelegatingControl {
  protected readonly inner: CongestionControl;
  readonly #sink: FlowEnvironment['sink'];
  readonly #screen: TelemetryScreen;
  #baseRtt: Duration;
  #rejected = 0;
  #stale = 0;

  constructor(
    inner: CongestionControl,
    { baseRtt, sink }: FlowEnvironment,
    { limits, maxHops }: { readonly limits: PlausibilityLimits; readonly maxHops: number },
  ) {
    super();
    this.inner = inner;
    this.#baseRtt = baseRtt;
    const patience = (): Duration => CONTRADICTION_RTTS * this.#baseRtt;
    this.#screen = new TelemetryScreen(maxHops, limits, patience);
    this.#sink = sink;
  }

  override onAck(ack: Acknowledgement): AckKind {
    const reason = this.#judge(ack);
    if (reason === undefined) return this.inner.onAck(ack);
    if (reason === 'stale') this.#stale++;
    else this.#rejected++;
    const { now, telemetry } = ack;
    this.#sink?.({ kind: 'telemetry-rejected', now, reason, hops: telemetry.length });
    return this.inner.onAck({ ...ack, telemetry: [] });
  }

  override onIdleRestart(now: Instant): void {
    this.#screen.L.clear();
    super.onIdleRestart(now);
  }

  override onBaseRtt(baseRtt: Duration): void {
    this.#baseRtt = baseRtt;
    super.onBaseRtt(baseRtt);
  }

  override metrics(): CongestionMetrics {
    // The inner control counts none: it does not judge.
    const counters = { telemetryRejected: this.#rejected, telemetryStale: this.#stale };
    return { ...this.inner.metrics(), ...counters };
  }

  /** Returns the reason to refuse telemetry. */
  #judge(ack: Acknowledgement): TelemetryRejection | undefined {
    const verdict = this.#screen.take(ack);
    const { reason = verdict === 'stale' ? verdict : undefined, usable, L } = this.#screen;
    if (verdict === 'comparable') L.refresh(usable);
    return reason !== undefined && REFUSED.has(reason) ? reason : undefined;
  }
}

/**
 * The same factory, whose flows refuse telemetry beyond the limits, and of more than `maxHops` links
 * (default 8); without limits as it is.
 */
export function withPlausibility(
  factory: CongestionControlFactory,
  { plausibilityLimits: limits, maxHops = MAX_HOPS }: HpccppTuning,
): CongestionControlFactory {
  if (limits === undefined) return factory;
  return (environment) =>
    new PlausibleControl(factory(environment), environment, { limits, maxHops });
}
