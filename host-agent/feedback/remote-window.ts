import { assert } from '../../common/assert';
import { PS_PER_SECOND } from '../../common/units/units';
import type { BitsPerSecond, Bytes, Instant } from '../../common/units/units';
import type { WindowRecord } from '../../common/wire/hpcc/feedback-records';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionMetrics,
  FlowEnvironment,
} from '../algorithm/congestion-control';

/** The receiver is silent if so many base RTTs and acknowledgements have passed without a word. */
const SILENCE_RTTS = 8;
const SILENCE_ACKS = 8;
/** Without a word from the receiver the window falls no lower than this part of the initial one. */
const FALLBACK_DIVISOR = 1000;
/** Bytes per picosecond, times this, are bits per second. */
const RATE_UNIT = 8 * PS_PER_SECOND;

/**
 * Sender's half of the receiver-based algorithm: obeys the windows that the receiver computes,
 * within the bounds that hold for every window.
 *
 * A silent receiver leaves the last window in force; if acknowledgements go on without windows, the
 * window is halved once per silence, because a flow without control may be the one that fills a link.
 */
export class RemoteWindow implements CongestionControl {
  readonly #max: Bytes;
  readonly #min: Bytes;
  readonly #environment: FlowEnvironment;
  #window: Bytes;
  #epoch = 0;
  #flows = 1;
  #heardAt: Instant | undefined = undefined;
  #acksSinceHeard = 0;
  #applied = 0;
  #stale = 0;
  #silences = 0;

  constructor(environment: FlowEnvironment) {
    this.#environment = environment;
    this.#max = (environment.linkRate * environment.baseRtt) / RATE_UNIT;
    this.#min = this.#max / FALLBACK_DIVISOR;
    this.#window = this.#max;
  }

  get windowBytes(): Bytes {
    return this.#window;
  }

  get pacingRate(): BitsPerSecond {
    return (this.#window * RATE_UNIT) / this.#environment.baseRtt;
  }

  /** Epoch of the window in force; 0 before the first one. */
  get epoch(): number {
    return this.#epoch;
  }

  onWindow(now: Instant, record: WindowRecord): boolean {
    assert(record.windowBytes > 0, 'the caller tells windows from counts');
    const ahead = (record.epoch - this.#epoch) | 0;
    if (ahead <= 0) {
      this.#stale++;
      return false;
    }
    this.#epoch = record.epoch;
    this.#window = Math.min(Math.max(record.windowBytes, this.#min), this.#max);
    if (record.flows > 0) this.#flows = record.flows;
    this.#applied++;
    this.#hear(now);
    this.#tell(now);
    return true;
  }

  /** Acknowledgements serve as a clock: the telemetry went to the receiver. */
  onAck({ now }: Pick<Acknowledgement, 'now'>): AckKind {
    this.#heardAt ??= now;
    this.#acksSinceHeard++;
    const isSilent = now - this.#heardAt > SILENCE_RTTS * this.#environment.baseRtt;
    if (!isSilent || this.#acksSinceHeard < SILENCE_ACKS) return 'ignored';
    this.#silences++;
    this.#window = Math.max(this.#window / 2, this.#min);
    this.#hear(now);
    this.#tell(now);
    return 'update';
  }

  onLoad(report: Pick<Acknowledgement, 'now'>): AckKind {
    return this.onAck(report);
  }

  onFlowCount(flows: number): void {
    this.#flows = flows;
  }

  /** The receiver notices by itself how old its records are. */
  onIdleRestart(now: Instant): void {
    this.#hear(now);
  }

  /** N as the receiver told it last. */
  get flows(): number {
    return this.#flows;
  }

  get silences(): number {
    return this.#silences;
  }

  metrics(): CongestionMetrics {
    return {
      windowBytes: this.#window,
      referenceWindowBytes: this.#window,
      pacingRate: this.pacingRate,
      normalizedInflight: null,
      incStage: 0,
      acksProcessed: this.#applied,
      commits: this.#applied,
      telemetryRejected: 0,
      telemetryStale: this.#stale,
      pathChanges: 0,
    };
  }

  #hear(now: Instant): void {
    this.#heardAt = now;
    this.#acksSinceHeard = 0;
  }

  #tell(now: Instant): void {
    this.#environment.sink?.({
      kind: 'window-updated',
      now,
      windowBytes: this.#window,
      referenceWindowBytes: this.#window,
      pacingRate: this.pacingRate,
      incStage: 0,
    });
  }
}
