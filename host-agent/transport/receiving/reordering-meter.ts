import type { Bytes } from '../../../common/units/units';

/** Counts of a host's data packets that arrived behind later ones of their flows. */
export interface ReorderingCounts {
  reorderedPackets: number;
  /** Sum of how far behind they were, and the farthest, in bytes of their flows. */
  reorderedBytes: Bytes;
  reorderedBytesMax: Bytes;
}

/** A flow that comes in. */
export interface MeteredFlow {
  /** End of its latest segment that has arrived. */
  latestEnd: number;
}

/**
 * Counts packets that arrive behind a later one of their flow (RFC 4737, section 3), and how far behind, in
 * bytes of the flow (its section 4.3). What was sent again is late because it was lost, and does not count.
 */
export class ReorderingMeter {
  readonly #counts: ReorderingCounts;

  constructor(counts: ReorderingCounts) {
    this.#counts = counts;
  }

  /** The segment of `flow` that ends at `end` has arrived. */
  note(flow: MeteredFlow, end: number, isRetransmission: boolean): void {
    const distance = flow.latestEnd - end;
    if (distance <= 0) {
      flow.latestEnd = end;
      return;
    }
    if (isRetransmission) return;
    this.#counts.reorderedPackets++;
    this.#counts.reorderedBytes += distance;
    if (distance > this.#counts.reorderedBytesMax) this.#counts.reorderedBytesMax = distance;
  }
}
