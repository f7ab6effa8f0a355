import type { HopRecord } from '../../common/hop/hop';
import type { Duration } from '../../common/units/units';
import type { Acknowledgement, TelemetryRejection } from './congestion-control';
import type { TelemetryVerdict } from './last-telemetry';
import { LastTelemetry } from './last-telemetry';
import type { PlausibilityLimits } from './plausible-telemetry';
import { implausibility, isPlausibleChange } from './plausible-telemetry';

/**
 * Separates the records of acknowledgements that can be used from those that cannot, and keeps L, with which
 * they are compared.
 */
export class TelemetryScreen {
  readonly L: LastTelemetry;
  readonly #maxHops: number;
  readonly #limits: PlausibilityLimits | undefined;
  /** The acknowledgement with those records alone that can be used. */
  usable: Acknowledgement = NOTHING;
  /** Reason why the records do not show the whole path; undefined if they do. */
  reason: TelemetryRejection | undefined = undefined;

  /**
   * @param limits of plausible records. Default: records are believed.
   * @param patience time in ps after which a record gives way to others that contradict it. Default: never.
   */
  constructor(maxHops: number, limits?: PlausibilityLimits, patience?: () => Duration) {
    this.#maxHops = maxHops;
    this.#limits = limits;
    this.L = new LastTelemetry(maxHops, patience);
  }

  take(ack: Acknowledgement): TelemetryVerdict {
    this.reason = this.#reasonOf(ack);
    this.usable = this.reason === undefined ? ack : this.#without(ack, () => false);
    if (this.usable.telemetry.length === 0) return 'no-interval';
    const verdict = this.L.follow(this.usable);
    if (this.#limits === undefined || verdict !== 'comparable') return verdict;
    return this.#judgeChanges(this.#limits);
  }

  #reasonOf({ telemetry: hops, isIncomplete }: Acknowledgement): TelemetryRejection | undefined {
    const limits = this.#limits;
    if (limits !== undefined) {
      for (const hop of hops) {
        const reason = implausibility(hop, limits);
        if (reason !== undefined) return reason;
      }
    }
    if (isIncomplete) return 'incomplete';
    if (hops.length === 0) return 'no-hops';
    if (hops.length > this.#maxHops) return 'too-many-hops';
    for (const hop of hops) if (!isCapacityKnown(hop)) return 'unknown-capacity';
    return undefined;
  }

  /** Refuses records that differ from their predecessors by more than a link can do. */
  #judgeChanges(limits: PlausibilityLimits): TelemetryVerdict {
    const { usable, L } = this;
    const refused = new Set<HopRecord>();
    let isRenewed = false;
    for (let i = 0; i < usable.telemetry.length; i++) {
      if (isPlausibleChange(usable, i, L, limits)) continue;
      if (L.isOutlived(i, usable.now)) {
        L.renew(i, usable);
        isRenewed = true;
      } else refused.add(usable.telemetry[i] as HopRecord);
    }
    if (refused.size > 0) {
      this.reason ??= 'implausible';
      this.usable = this.#without(usable, (hop) => refused.has(hop));
    } else if (!isRenewed) return 'comparable';
    const verdict = this.usable.telemetry.length === 0 ? 'no-interval' : L.follow(this.usable);
    return isRenewed && verdict === 'no-interval' ? 'first' : verdict;
  }

  #without(ack: Acknowledgement, isRefused: (hop: HopRecord) => boolean): Acknowledgement {
    const limits = this.#limits ?? {};
    const telemetry = ack.telemetry
      .slice(0, this.#maxHops)
      .filter(
        (hop) =>
          isCapacityKnown(hop) && implausibility(hop, limits) === undefined && !isRefused(hop),
      );
    return { ...ack, telemetry, isIncomplete: true };
  }
}

/**
 * A capacity of zero or all ones says "not available": 0xFFFFFFFF Mb/s is 4.3e15 bit/s, three
 * orders of magnitude above any link.
 */
const isCapacityKnown = ({ capacity }: HopRecord): boolean =>
  capacity > 0 && capacity < CAPACITY_LIMIT;

const CAPACITY_LIMIT = 1e15;

const NOTHING: Acknowledgement = {
  ackSequence: 0,
  nextSequence: 0,
  telemetry: [],
  isIncomplete: true,
  now: 0,
};
