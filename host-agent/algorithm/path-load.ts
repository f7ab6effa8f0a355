/**
 * Bytes in flight on the links of a path, in the notation of hpccpp.ts, whose table of symbols
 * holds here too.
 */
import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { LoadReport } from './congestion-control';
import { interval } from './last-telemetry';
import type { LastTelemetry } from './last-telemetry';

export interface PathLoadParameters {
  /** Base RTT in ns. */
  readonly T: number;
  /** Rate of the sender's own link in bits/s. */
  readonly nicRate: number;
  /** nicRate * T in bytes. */
  readonly Winit: number;
  /** The queue at the end of an interval counts, not the smaller of both ends. Default false. */
  readonly usesLatestQueue?: boolean;
  /** Under QoS scheduling; absent: the queue has the link to itself. */
  readonly sharedQueue?: SharedQueue;
}

/** What a port with several queues guarantees to the one that the flow uses. */
interface SharedQueue {
  /** Guaranteed share of the link's capacity, above 0 and at most 1. */
  readonly share: number;
}

/** The fullest link of a path; one object per flow, which every measurement overwrites. */
export class PathLoad {
  readonly #p: PathLoadParameters;
  readonly #share: number;
  /** Bytes in flight on the fullest link, relative to its bandwidth-delay product. */
  u = 0;
  /** What u was measured over, in ns; 0 if every link was idle. */
  tau = 0;
  /** Position of the fullest link in the path, or -1 if every link was idle. */
  link = -1;
  /** Whether that link is the last one of the path, the receiver's. */
  isLastLink = false;

  constructor(parameters: PathLoadParameters) {
    this.#p = parameters;
    this.#share = parameters.sharedQueue?.share ?? 1;
  }

  /** HPCC++ §algorithm, lines 2-7; only after the verdict `comparable`. */
  measure(ackL: readonly HopRecord[], L: LastTelemetry): void {
    // HPCC++ §algorithm, line 2: u starts at 0. If every link was idle then tau stays 0 as well,
    // which leaves U as it is.
    let u = 0;
    let tau = 0;
    let link = -1;
    // HPCC++ §algorithm, line 3: for each link on the path. PERF: linear in the hops, no allocation.
    for (let i = 0; i < ackL.length; i++) {
      const hop = ackL[i];
      assert(hop !== undefined, 'the index is below the length');
      const last = L.record(i);
      const dt = interval(hop, last);
      if (dt === 0) continue;
      // HPCC++ §algorithm, line 4: bytes that left the link between the two records, over time.
      const dBytes = wrappedDifference(hop.txBytes, last.txBytes, hop.txBytesModulus);
      const txRate = (8 * dBytes) / (dt * 1e-9);
      const B = hop.capacity * this.#share;
      const uHop = txRate / B + this.#queueTerm(hop, last);
      // HPCC++ §algorithm, lines 6-7: the fullest link counts, and its interval with it.
      if (uHop > u) {
        u = uHop;
        tau = dt;
        link = i;
      }
    }
    this.u = u;
    this.tau = tau;
    this.link = link;
    this.isLastLink = link === ackL.length - 1;
  }

  /** What the receiver has found by the same comparison, without saying where. */
  take({ ratio, intervalNs }: Pick<LoadReport, 'ratio' | 'intervalNs'>): void {
    this.u = ratio;
    this.tau = intervalNs;
    this.link = -1;
    this.isLastLink = false;
  }

  /**
   * HPCC++ §algorithm, line 5: the smaller queue filters out momentary bursts. B * T of the listing
   * is Winit scaled from the sender's link to this one.
   *
   * Section "Work with multiple queues": where other queues share the port, the time that packets
   * wait tells more than the length of one queue; it is q/B already.
   */
  #queueTerm(hop: HopRecord, last: HopRecord): number {
    const { T, nicRate, Winit, sharedQueue } = this.#p;
    const isLater = this.#p.usesLatestQueue === true;
    if (sharedQueue !== undefined && hop.sojournNs !== undefined) {
      const before = isLater ? hop.sojournNs : (last.sojournNs ?? hop.sojournNs);
      return (hop.sojournNs < before ? hop.sojournNs : before) / T;
    }
    const qlen = isLater || hop.queueBytes < last.queueBytes ? hop.queueBytes : last.queueBytes;
    return (qlen * nicRate) / (hop.capacity * this.#share) / Winit;
  }
}
