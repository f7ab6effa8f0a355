import type { BitsPerSecond, Instant } from '../../common/units/units';
import type { FairRates, FlowEnds } from './fair-rates';

/** A flow as it is before the run. */
export interface PlannedFlow extends FlowEnds {
  /** The earliest instant at which it may begin. */
  readonly startsAt: Instant;
}

interface KnownFlow extends FlowEnds {
  startsAt: Instant;
  completedAt: Instant | undefined;
}

/** Flows that have begun and ended, according to observations; by their numbers, from 1. */
export class OpenFlows {
  readonly #flows: readonly KnownFlow[];
  readonly #fairRates: FairRates;

  constructor(flows: readonly PlannedFlow[], fairRates: FairRates) {
    this.#flows = flows.map((flow) => ({ ...flow, completedAt: undefined }));
    this.#fairRates = fairRates;
  }

  began(at: Instant, flow: number): void {
    const known = this.#flows[flow - 1];
    if (known !== undefined) known.startsAt = at;
  }

  completed(at: Instant, flow: number): void {
    const known = this.#flows[flow - 1];
    if (known !== undefined) known.completedAt = at;
  }

  /** True if all bytes of the flow have arrived. */
  isOver(flow: number): boolean {
    return this.#flows[flow - 1]?.completedAt !== undefined;
  }

  /** Fair rate of the flow now, beside all others that have begun and not ended, in bits/s. */
  fairRate(flow: number, now: Instant): BitsPerSecond {
    const own = this.#flows[flow - 1];
    const open = this.#flows.filter((each) => each === own || isOpen(each, now));
    const at = own === undefined ? -1 : open.indexOf(own);
    return this.#fairRates.of(open)[at] ?? Infinity;
  }
}

const isOpen = ({ startsAt, completedAt }: KnownFlow, now: Instant): boolean =>
  startsAt <= now && (completedAt === undefined || completedAt >= now);
