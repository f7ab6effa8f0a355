import type { BitsPerSecond, Bytes, Duration } from '../../../common/units/units';
import { PS_PER_SECOND } from '../../../common/units/units';
import { checkParameter } from '../check-parameter';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionEvent,
  CongestionMetrics,
  FlowEnvironment,
} from '../congestion-control';

/** More than any path holds, and small enough for charts and files. */
const UNLIMITED: Bytes = 2 ** 30;

/**
 * Common base of the algorithms beside HPCC++: the host's link and T, counters, and no use of records that
 * the receiver has compared or of how many flows it counts.
 */
export abstract class BaseAlgorithm implements CongestionControl {
  protected readonly linkRate: BitsPerSecond;
  protected readonly segmentBytes: Bytes;
  /** T in ps. */
  protected baseRtt: Duration;
  readonly #sink: FlowEnvironment['sink'];
  #acks = 0;
  #commits = 0;

  constructor({ linkRate, baseRtt, segmentBytes = 1000, sink }: FlowEnvironment) {
    const above0 = { low: 0, high: Infinity, exclusiveLow: true };
    this.linkRate = checkParameter('linkRate', linkRate, above0);
    this.baseRtt = checkParameter('baseRtt', baseRtt, above0);
    this.segmentBytes = checkParameter('segmentBytes', segmentBytes, above0);
    this.#sink = sink;
  }

  abstract get windowBytes(): Bytes;
  abstract get pacingRate(): BitsPerSecond;

  /** Takes an acknowledgement; returns what it did. */
  protected abstract learn(ack: Acknowledgement): AckKind;

  onAck(ack: Acknowledgement): AckKind {
    this.#acks++;
    const ackKind = this.learn(ack);
    if (ackKind === 'update') this.#commits++;
    if (this.#sink !== undefined) this.#tell(ack, ackKind);
    return ackKind;
  }

  onLoad(): AckKind {
    return 'ignored';
  }

  onFlowCount(): void {
    return;
  }

  onIdleRestart(): void {
    return;
  }

  onBaseRtt(baseRtt: Duration): void {
    this.baseRtt = baseRtt;
  }

  /** Bytes of one bandwidth-delay product of the host's own link. */
  protected get bdpBytes(): Bytes {
    return (this.linkRate * this.baseRtt) / (8 * PS_PER_SECOND);
  }

  /** A measure of load for reports; 0 where the algorithm has none. */
  protected get normalizedInflight(): number {
    return 0;
  }

  metrics(): CongestionMetrics {
    const { windowBytes, pacingRate, normalizedInflight } = this;
    return {
      windowBytes,
      referenceWindowBytes: windowBytes,
      pacingRate,
      normalizedInflight,
      incStage: 0,
      acksProcessed: this.#acks,
      commits: this.#commits,
      telemetryRejected: 0,
      telemetryStale: 0,
      pathChanges: 0,
    };
  }

  #tell({ now, ackSequence }: Acknowledgement, ackKind: AckKind): void {
    const { normalizedInflight, windowBytes, pacingRate } = this;
    const events: CongestionEvent[] = [
      { kind: 'ack-processed', now, ackSequence, ackKind, normalizedInflight },
      {
        kind: 'window-updated',
        now,
        windowBytes,
        pacingRate,
        incStage: 0,
        referenceWindowBytes: windowBytes,
      },
    ];
    for (const event of events) this.#sink?.(event);
  }
}

/** Tells if a flow that is controlled by its rate has a window besides. */
export type WindowMode = 'none' | 'scaled';

/** An algorithm whose control variable is a rate between a least one and that of the link. */
export abstract class RateBasedAlgorithm extends BaseAlgorithm {
  readonly #mode: WindowMode;
  readonly #rateMin: BitsPerSecond;
  #rate: BitsPerSecond;

  /** @param minShare least rate, as a share of the link's. */
  constructor(environment: FlowEnvironment, mode: WindowMode, minShare: number) {
    super(environment);
    this.#mode = mode;
    this.#rateMin = minShare * environment.linkRate;
    this.#rate = environment.linkRate;
  }

  get pacingRate(): BitsPerSecond {
    return this.#rate;
  }

  /** Scaled: one bandwidth-delay product at full rate, and in proportion below it. */
  get windowBytes(): Bytes {
    if (this.#mode === 'none') return UNLIMITED;
    return Math.max(1, (this.bdpBytes * this.#rate) / this.linkRate);
  }

  protected setRate(rate: BitsPerSecond): void {
    this.#rate = Math.min(this.linkRate, Math.max(this.#rateMin, rate));
  }

  /** A rate that is published for a link of 100 Gb/s, in Mb/s, for this one. */
  protected per100G(mbps: number): BitsPerSecond {
    return (mbps * 1e6 * this.linkRate) / 100e9;
  }
}

/**
 * Once per round trip: when the receiver expects more than the first byte that was sent after the last
 * time.
 */
export class Rounds {
  #end = NaN;

  /** True once the first round has begun, with the first acknowledgement. */
  get hasBegun(): boolean {
    return !Number.isNaN(this.#end);
  }

  ends({ ackSequence }: Acknowledgement): boolean {
    return ackSequence > this.#end;
  }

  begin({ nextSequence }: Pick<Acknowledgement, 'nextSequence'>): void {
    if (!(this.#end > nextSequence)) this.#end = nextSequence;
  }
}
