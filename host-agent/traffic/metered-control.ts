import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import type { WindowRecord } from '../../common/wire/hpcc/feedback-records';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionMetrics,
  LoadReport,
} from '../algorithm/congestion-control';
import { DelegatingControl } from '../algorithm/delegating-control';
import type { FeedbackRoute } from '../feedback/feedback-plan';

/** Figures of a flow's congestion control, and of its path from telemetry. */
export interface ControlFigures {
  /** The end of the flow at which the algorithm runs. */
  readonly controlAt: FeedbackRoute['algorithmAt'];
  readonly windowBytes: Bytes;
  readonly pacingRate: BitsPerSecond;
  /** U; null where the other end runs the algorithm. */
  readonly normalizedInflight: number | null;
  /** Windows that came from telemetry, at the receiver or here; 0: the flow ran without control. */
  readonly windowUpdates: number;
  /** Links with telemetry in the latest record; null before the first one that names links. */
  readonly hops: number | null;
  /** Acknowledgements that brought telemetry, and that brought none. */
  readonly withTelemetry: number;
  readonly withoutTelemetry: number;
  /** The longest queue of any link, in the latest record and in all of them; null before the first. */
  readonly queueBytes: Bytes | null;
  readonly queueBytesMax: Bytes | null;
  /** Telemetry that was not believed, or was of no use. */
  readonly telemetryRejected: number;
  /** Responses of switches, of a flow that they alone control; absent: its packets bring telemetry. */
  readonly switchResponses?: number;
  /** T, where it is measured and has been. */
  readonly baseRttUs?: number;
}

/** The congestion control has changed its window, or kept it after thinking. */
export interface ControlUpdate {
  readonly now: Instant;
  /** Telemetry of the update; empty where the links of the path are hidden. */
  readonly telemetry: readonly HopRecord[];
  readonly windowBytes: Bytes;
  readonly pacingRate: BitsPerSecond;
  /** U; null where the other end runs the algorithm. */
  readonly normalizedInflight: number | null;
  /** True if the reference window changed too; null where the other end runs the algorithm. */
  readonly endsRound: boolean | null;
}

interface MeterOptions {
  /** Limit of the rate. Default: none. */
  readonly rateMax?: BitsPerSecond;
  /** The end of the flow at which the algorithm runs. Default: sender. */
  readonly controlAt?: FeedbackRoute['algorithmAt'];
}

/** Looks on while a congestion control works, and holds its rate below a limit if there is one. */
export class MeteredControl extends DelegatingControl {
  protected readonly inner: CongestionControl;
  readonly #controlAt: FeedbackRoute['algorithmAt'];
  readonly #rateMax: BitsPerSecond;
  #hops: number | null = null;
  #withTelemetry = 0;
  #withoutTelemetry = 0;
  #queueBytes: Bytes | null = null;
  #queueBytesMax: Bytes | null = null;
  #baseRtt: Duration | undefined = undefined;
  #watch: ((update: ControlUpdate) => void) | undefined = undefined;

  constructor(
    inner: CongestionControl,
    { rateMax = Infinity, controlAt = 'sender' }: MeterOptions = {},
  ) {
    super();
    this.inner = inner;
    this.#controlAt = controlAt;
    this.#rateMax = rateMax;
  }

  /** Calls `watch` after each update from now on. */
  onUpdate(watch: (update: ControlUpdate) => void): void {
    this.#watch = watch;
  }

  get figures(): ControlFigures {
    const { windowBytes, pacingRate } = this;
    const { normalizedInflight, acksProcessed, telemetryRejected, switchResponses } =
      this.inner.metrics();
    return {
      controlAt: this.#controlAt,
      windowBytes,
      pacingRate,
      normalizedInflight,
      windowUpdates: acksProcessed,
      hops: this.#hops,
      withTelemetry: this.#withTelemetry,
      withoutTelemetry: this.#withoutTelemetry,
      queueBytes: this.#queueBytes,
      queueBytesMax: this.#queueBytesMax,
      telemetryRejected,
      ...(switchResponses !== undefined && { switchResponses }),
      ...(this.#baseRtt !== undefined && { baseRttUs: this.#baseRtt / PS_PER_US }),
    };
  }

  override get pacingRate(): BitsPerSecond {
    return Math.min(this.inner.pacingRate, this.#rateMax);
  }

  override onAck(ack: Acknowledgement): AckKind {
    this.#look(ack);
    const kind = this.inner.onAck(ack);
    if (this.#watch !== undefined) this.#tell(kind, ack);
    return kind;
  }

  override onLoad(report: LoadReport): AckKind {
    this.#withTelemetry++;
    const kind = this.inner.onLoad(report);
    if (this.#watch !== undefined) this.#tell(kind, { now: report.now, telemetry: [] });
    return kind;
  }

  override onWindow(now: Instant, record: WindowRecord): boolean {
    const isNew = super.onWindow(now, record);
    if (isNew && this.#watch !== undefined) this.#tell('fast', { now, telemetry: [] });
    return isNew;
  }

  override onBaseRtt(baseRtt: Duration): void {
    this.#baseRtt = baseRtt;
    super.onBaseRtt(baseRtt);
  }

  override metrics(): CongestionMetrics {
    return { ...this.inner.metrics(), pacingRate: this.pacingRate };
  }

  #tell(kind: AckKind, { now, telemetry }: Pick<Acknowledgement, 'now' | 'telemetry'>): void {
    if (kind !== 'update' && kind !== 'fast') return;
    const { windowBytes, pacingRate } = this;
    const { normalizedInflight } = this.inner.metrics();
    const endsRound = normalizedInflight === null ? null : kind === 'update';
    this.#watch?.({ now, telemetry, windowBytes, pacingRate, normalizedInflight, endsRound });
  }

  #look({ telemetry }: Acknowledgement): void {
    if (telemetry.length === 0) {
      this.#withoutTelemetry++;
      return;
    }
    this.#withTelemetry++;
    this.#hops = telemetry.length;
    let longest = 0;
    for (const { queueBytes } of telemetry) if (queueBytes > longest) longest = queueBytes;
    this.#queueBytes = longest;
    if (longest > (this.#queueBytesMax ?? -1)) this.#queueBytesMax = longest;
  }
}
