import type { Instant } from '../../../common/units/units';
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
import { LastTelemetry } from '../last-telemetry';
import type { PlausibilityLimits } from '../plausible-telemetry';
import { implausibility, isPlausibleChange } from '../plausible-telemetry';
import { CONTRADICTION_RTTS } from '../telemetry-judge';
import type { HpccppTuning } from '../window-form';

/** Links that packets have room for, unless the host says otherwise. */
const MAX_HOPS = 8;

/** Verdicts after which the records are stored whole. */
const NOTHING_TO_COMPARE: ReadonlySet<string> = new Set(['first', 'expired', 'path-changed']);

/**
 * Plausibility for algorithms that do not judge what they hear: telemetry that the network cannot have
 * sent does not reach the inner control, which hears the rest of the acknowledgement.
 */
class JudgedControl extends DelegatingControl {
  protected readonly inner: CongestionControl;
  readonly #limits: PlausibilityLimits;
  readonly #sink: FlowEnvironment['sink'];
  readonly #L: LastTelemetry;
  #baseRtt: FlowEnvironment['baseRtt'];
  #rejected = 0;
  #stale = 0;

  constructor(
    inner: CongestionControl,
    { baseRtt, sink }: FlowEnvironment,
    { limits, maxHops }: { readonly limits: PlausibilityLimits; readonly maxHops: number },
  ) {
    super();
    this.inner = inner;
    this.#limits = limits;
    this.#L = new LastTelemetry(maxHops);
    this.#baseRtt = baseRtt;
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
    this.#L.clear();
    super.onIdleRestart(now);
  }

  override onBaseRtt(baseRtt: FlowEnvironment['baseRtt']): void {
    this.#baseRtt = baseRtt;
    super.onBaseRtt(baseRtt);
  }

  override metrics(): CongestionMetrics {
    // The inner control counts none: it does not judge.
    const counters = { telemetryRejected: this.#rejected, telemetryStale: this.#stale };
    return { ...this.inner.metrics(), ...counters };
  }

  /** Why the telemetry is refused. What it lacks, and what came late, is the algorithm's own affair. */
  #judge(ack: Acknowledgement): TelemetryRejection | undefined {
    const refused = implausibility(ack.telemetry, this.#limits);
    if (refused !== undefined) return refused;
    const verdict = this.#L.judge(ack);
    // Packets have no room for more, and nothing longer could be compared.
    if (verdict === 'too-many-hops') return verdict;
    if (verdict === 'stale') return this.#contradiction(ack, verdict);
    if (verdict === 'comparable') {
      if (!isPlausibleChange(ack, this.#L, this.#limits)) {
        return this.#contradiction(ack, 'implausible');
      }
      this.#L.refresh(ack);
    } else if (NOTHING_TO_COMPARE.has(verdict)) this.#L.replace(ack);
    return undefined;
  }

  /** Records that nothing has confirmed for long give way: see {@link CONTRADICTION_RTTS}. */
  #contradiction(ack: Acknowledgement, reason: TelemetryRejection): TelemetryRejection | undefined {
    const silence = ack.now - this.#L.refreshedAt;
    if (silence <= CONTRADICTION_RTTS * this.#baseRtt) return reason;
    this.#L.replace(ack);
    return undefined;
  }
}

/**
 * The same factory, whose flows refuse telemetry beyond the limits, and of more than `maxHops` links
 * (default 8); without limits as it is.
 */
export function judged(
  factory: CongestionControlFactory,
  { plausibilityLimits: limits, maxHops = MAX_HOPS }: HpccppTuning,
): CongestionControlFactory {
  if (limits === undefined) return factory;
  return (environment) => new JudgedControl(factory(environment), environment, { limits, maxHops });
}
