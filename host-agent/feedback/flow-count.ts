import type { Duration, Instant } from '../../common/units/units';

/** Base RTTs for which a flow counts at least after its last packet. */
const PERIOD_RTTS = 8;
const FLOWS_MAX = 0xffff;

/** Round in which a flow was counted last; one mark per flow. */
export interface FlowMark {
  countedIn: number;
}

/**
 * Number of flows that a host receives. A flow counts from its first packet on, because a step that is too
 * large for the flows there are makes a queue; it is dropped late, between one and two periods after its
 * last packet, because every change of the count changes everybody's step.
 *
 * PERF: constant time per packet.
 */
export class FlowCount {
  readonly #period: Duration;
  #current = 0;
  #flows = 0;
  #flowsBefore = 0;

  constructor(baseRtt: Duration) {
    this.#period = PERIOD_RTTS * baseRtt;
  }

  /** A packet of the flow arrived. */
  onPacket(now: Instant, mark: FlowMark): void {
    this.#advance(now);
    if (mark.countedIn === this.#current) return;
    mark.countedIn = this.#current;
    this.#flows++;
  }

  /** N, from 1 to 65,535. */
  count(now: Instant): number {
    this.#advance(now);
    return Math.min(Math.max(this.#flows, this.#flowsBefore, 1), FLOWS_MAX);
  }

  #advance(now: Instant): void {
    const period = Math.floor(now / this.#period) + 1;
    if (period === this.#current) return;
    this.#flowsBefore = period === this.#current + 1 ? this.#flows : 0;
    this.#flows = 0;
    this.#current = period;
  }
}

/** The mark of a flow that has not been counted. */
export const newFlowMark = (): FlowMark => ({ countedIn: 0 });
