import type { BitsPerSecond, Bytes } from '../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionMetrics,
  LoadReport,
} from '../algorithm/congestion-control';

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
}

/** Looks on while a congestion control works, and holds its rate below a limit if there is one. */
export class MeteredControl implements CongestionControl {
  readonly #inner: CongestionControl;
  readonly #rateMax: BitsPerSecond;
  #hops = 0;
  #withTelemetry = 0;
  #withoutTelemetry = 0;
  #queueBytes: Bytes = 0;
  #queueBytesMax: Bytes = 0;

  constructor(inner: CongestionControl, rateMax: BitsPerSecond = Infinity) {
    this.#inner = inner;
    this.#rateMax = rateMax;
  }

  get path(): PathFigures {
    return {
      hops: this.#hops,
      withTelemetry: this.#withTelemetry,
      withoutTelemetry: this.#withoutTelemetry,
      queueBytes: this.#queueBytes,
      queueBytesMax: this.#queueBytesMax,
    };
  }

  get windowBytes(): Bytes {
    return this.#inner.windowBytes;
  }

  get pacingRate(): BitsPerSecond {
    return Math.min(this.#inner.pacingRate, this.#rateMax);
  }

  onAck(ack: Acknowledgement): AckKind {
    this.#look(ack);
    return this.#inner.onAck(ack);
  }

  onLoad(report: LoadReport): AckKind {
    this.#withTelemetry++;
    return this.#inner.onLoad(report);
  }

  onFlowCount(flows: number): void {
    this.#inner.onFlowCount(flows);
  }

  onIdleRestart(now: number): void {
    this.#inner.onIdleRestart(now);
  }

  metrics(): CongestionMetrics {
    return { ...this.#inner.metrics(), pacingRate: this.pacingRate };
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
