import { PS_PER_NS } from '../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionEventSink,
  TelemetryRejection,
} from './congestion-control';
import type { Hpccpp } from './hpccpp';
import { LastTelemetry } from './last-telemetry';
import type { PlausibilityLimits } from './plausible-telemetry';
import { implausibility, isPlausibleChange } from './plausible-telemetry';

export interface JudgeParameters {
  readonly maxHops: number;
  /** Absent: telemetry is believed. */
  readonly limits?: PlausibilityLimits;
  readonly sink: CongestionEventSink | undefined;
}

/** No packet is overtaken by others that were sent so many base RTTs later. */
export const CONTRADICTION_RTTS = 16;

/**
 * What the listing leaves open: which acknowledgements may reach NewAck, and what becomes of the
 * others. It keeps L, with which each of them is compared.
 */
export class TelemetryJudge {
  readonly #algorithm: Hpccpp;
  readonly #p: JudgeParameters;
  readonly #L: LastTelemetry;
  #rejected = 0;
  #stale = 0;
  #pathChanges = 0;

  constructor(algorithm: Hpccpp, parameters: JudgeParameters) {
    this.#algorithm = algorithm;
    this.#p = parameters;
    this.#L = new LastTelemetry(parameters.maxHops);
  }

  get counters() {
    return {
      telemetryRejected: this.#rejected,
      telemetryStale: this.#stale,
      pathChanges: this.#pathChanges,
    };
  }

  /** The next acknowledgement becomes a first one again; W, Wc, U and incStage stay. */
  forgetPath(): void {
    this.#L.clear();
  }

  newAck(ack: Acknowledgement): AckKind {
    const { limits } = this.#p;
    const refused = limits === undefined ? undefined : implausibility(ack.telemetry, limits);
    const verdict = refused ?? this.#L.judge(ack);
    switch (verdict) {
      case 'comparable':
        return this.#isPlausible(ack)
          ? this.#algorithm.newAck(ack, this.#L)
          : this.#rejectOrStartAnew(ack, 'implausible');
      case 'first':
      case 'expired':
        return this.#newFirstAck(ack);
      case 'path-changed':
        return this.#newPath(ack);
      case 'no-interval':
        // Nothing was measured, so nothing may be concluded: not even that a round has passed.
        return 'ignored';
      case 'stale':
        return this.#rejectOrStartAnew(ack, verdict);
      case 'no-hops':
      case 'too-many-hops':
      case 'incomplete':
      case 'unknown-capacity':
      case 'unknown-link':
      case 'implausible':
        return this.#reject(ack, verdict);
    }
  }

  #isPlausible(ack: Acknowledgement): boolean {
    const { limits } = this.#p;
    return limits === undefined || isPlausibleChange(ack, this.#L, limits);
  }

  /** There is nothing to compare with: store, and let the flow go on as it is. */
  #newFirstAck(ack: Acknowledgement): AckKind {
    this.#L.replace(ack);
    this.#algorithm.startRound(ack);
    return 'first';
  }

  /**
   * Counters of other ports cannot be compared. Windows and U stay, because the flow's share of the
   * new path is more likely near the old one than at line rate; the round in progress stays too.
   */
  #newPath(ack: Acknowledgement): AckKind {
    this.#L.replace(ack);
    this.#pathChanges++;
    this.#p.sink?.({ kind: 'path-changed', now: ack.now, hops: ack.telemetry.length });
    return 'first';
  }

  /**
   * Telemetry that contradicts the stored records is wrong, or they are: after the restart of a
   * switch, or when a forged record got in first. Records that nothing has confirmed for several
   * base RTTs give way, so that the flow cannot stay without control.
   */
  #rejectOrStartAnew(ack: Acknowledgement, reason: TelemetryRejection): AckKind {
    const silence = ack.now - this.#L.refreshedAt;
    const patience = CONTRADICTION_RTTS * this.#algorithm.T * PS_PER_NS;
    return silence > patience ? this.#newFirstAck(ack) : this.#reject(ack, reason);
  }

  #reject(ack: Acknowledgement, reason: TelemetryRejection): AckKind {
    if (reason === 'stale') this.#stale++;
    else this.#rejected++;
    const hops = ack.telemetry.length;
    this.#p.sink?.({ kind: 'telemetry-rejected', now: ack.now, reason, hops });
    return 'ignored';
  }
}
