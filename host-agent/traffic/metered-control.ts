import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionMetrics,
  LoadReport,
} from '../algorithm/congestion-control';
import { DelegatingControl } from '../algorithm/delegating-control';

/** What telemetry has said about the path of a flow. */
export interface PathFigures {
  /** Links with telemetry in the latest record; 0 before the first one. */
  readonly hops: number;
  /** Acknowledgements that brought telemetry, and that brought none. */
  readonly withTelemetry: number;
  readonly withoutTelemetry: number;
  /** The longest queue of any link, in the latest record and in all of them. */
  readonly queueBytes: Bytes;
  readonly queueBytesMax: Bytes;
  /** Telemetry that was not believed, or was of no use. */
  readonly telemetryRejected: number;
  /** T, where it is measured and has been. */
  readonly baseRttUs?: number;
}

/** The congestion control has changed its window, or kept it after thinking. */
export interface ControlUpdate {
  readonly now: Instant;
  /** What it was told; empty where the links of the path are hidden. */
  readonly telemetry: readonly HopRecord[];
  readonly windowBytes: Bytes;
  readonly pacingRate: BitsPerSecond;
  readonly normalizedInflight: number;
  /** Whether the reference window changed too. */
  readonly endsRound: boolean;
}

/** Looks on while a congestion control works, and holds its rate below a limit if there is one. */
export class MeteredControl extends DelegatingControl {
  protected readonly inner: CongestionControl;
  readonly #rateMax: BitsPerSecond;
  #hops = 0;
  #withTelemetry = 0;
  #withoutTelemetry = 0;
  #queueBytes: Bytes = 0;
  #queueBytesMax: Bytes = 0;
  #baseRtt: Duration | undefined = undefined;
  #watch: ((update: ControlUpdate) => void) | undefined = undefined;

  constructor(inner: CongestionControl, rateMax: BitsPerSecond = Infinity) {
    super();
    this.inner = inner;
    this.#rateMax = rateMax;
  }

  /** Calls `watch` after each update from now on. */
  onUpdate(watch: (update: ControlUpdate) => void): void {
    this.#watch = watch;
  }

  get path(): PathFigures {
    return {
      hops: this.#hops,
      withTelemetry: this.#withTelemetry,
      withoutTelemetry: this.#withoutTelemetry,
      queueBytes: this.#queueBytes,
      queueBytesMax: this.#queueBytesMax,
      telemetryRejected: this.inner.metrics().telemetryRejected,
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
    const endsRound = kind === 'update';
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
    if (longest > this.#queueBytesMax) this.#queueBytesMax = longest;
  }
}
