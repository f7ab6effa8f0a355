import type { Duration } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionEventSink,
  TelemetryRejection,
} from './congestion-control';
import type { Hpccpp } from './hpccpp';
import type { PlausibilityLimits } from './plausible-telemetry';
import { TelemetryScreen } from './telemetry-screen';

export interface JudgeParameters {
  readonly maxHops: number;
  /** Absent: telemetry is believed. */
  readonly limits?: PlausibilityLimits;
  readonly sink: CongestionEventSink | undefined;
}

/**
 * Base RTTs after which a record of a link that nothing has confirmed gives way to others that contradict
 * it: after the restart of a switch, or when a forged record got in first. No packet is overtaken by
 * others that were sent so many base RTTs later.
 */
export const CONTRADICTION_RTTS = 16;

/**
 * Decides what the draft's listing leaves open: which acknowledgements reach NewAck, and what happens to
 * the others.
 */
export class TelemetryJudge {
  readonly #algorithm: Hpccpp;
  readonly #p: JudgeParameters;
  readonly #screen: TelemetryScreen;
  #rejected = 0;
  #stale = 0;
  #pathChanges = 0;

  constructor(algorithm: Hpccpp, parameters: JudgeParameters) {
    this.#algorithm = algorithm;
    this.#p = parameters;
    const patience = (): Duration => CONTRADICTION_RTTS * algorithm.T * PS_PER_NS;
    this.#screen = new TelemetryScreen(parameters.maxHops, parameters.limits, patience);
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
    this.#screen.L.clear();
  }

  newAck(ack: Acknowledgement): AckKind {
    const screen = this.#screen;
    const { L } = screen;
    const verdict = screen.take(ack);
    if (screen.reason !== undefined) {
      this.#reject(ack, screen.reason);
      return verdict === 'comparable' ? this.#algorithm.newAck(screen.usable, L, false) : 'ignored';
    }
    if (L.isOtherPath) this.#notePath(ack);
    switch (verdict) {
      case 'comparable':
        return this.#algorithm.newAck(ack, L, true);
      case 'first':
        // The round in progress stays where the flow only changes its path.
        if (!L.isOtherPath) this.#algorithm.startRound(ack);
        return 'first';
      case 'no-interval':
        // Nothing was measured, so nothing may be concluded: not even that a round has passed.
        return 'ignored';
      case 'stale':
        this.#reject(ack, verdict);
        return 'ignored';
    }
  }

  /**
   * Windows and U stay, because the flow's share of the new path is more likely near the old one than at
   * line rate.
   */
  #notePath({ now, telemetry }: Acknowledgement): void {
    this.#pathChanges++;
    this.#p.sink?.({ kind: 'path-changed', now, hops: telemetry.length });
  }

  #reject({ now, telemetry }: Acknowledgement, reason: TelemetryRejection): void {
    if (reason === 'stale') this.#stale++;
    else this.#rejected++;
    this.#p.sink?.({ kind: 'telemetry-rejected', now, reason, hops: telemetry.length });
  }
}
