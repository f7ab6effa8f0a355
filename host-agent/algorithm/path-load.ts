/**
 * Bytes in flight on the links of a path, in the notation of hpccpp.ts, whose table of symbols
 * holds here too.
 */
import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { Bytes } from '../../common/units/units';
import type { LoadReport } from './congestion-control';
import { interval } from './last-telemetry';
import type { LastTelemetry, LinkRecord } from './last-telemetry';

export interface PathLoadParameters {
  /** Base RTT in ns. */
  readonly T: number;
  /** Rate of the sender's own link in bits/s. */
  readonly nicRate: number;
  /** nicRate * T in bytes. */
  readonly Winit: number;
  /**
   * In T: of a queue that takes so long the length at the end of an interval counts, not the smaller
   * one of both ends. Default Infinity.
   */
  readonly latestQueueFrom?: number;
  /** Weight of one sample in U, where links have averages of their own. Default 1. */
  readonly sampleWeight?: number | undefined;
  /** Under QoS scheduling; absent: the queue has the link to itself. */
  readonly sharedQueue?: SharedQueue;
}

/** Guarantee of a port with several queues to the queue that the flow uses. */
interface SharedQueue {
  /** Guaranteed share of the link's capacity, above 0 and at most 1. */
  readonly share: number;
}

/**
 * In T, {@link PathLoadParameters.latestQueueFrom} of probes: a shorter queue may be a burst, or the
 * turn that a process had to wait for.
 */
export const PROBED_QUEUE_FROM = 0.5;

/** The same for flows whose telemetry is of probes, or of one in so many data packets. */
export function latestQueueFrom(collectBy: 'data' | 'probe', collectEvery: number): number {
  if (collectBy === 'probe') return PROBED_QUEUE_FROM;
  return collectEvery > 1 ? 0 : Infinity;
}

/** The bottleneck of a path; one object per flow, which every measurement overwrites. */
export class PathLoad {
  readonly #p: PathLoadParameters;
  readonly #share: number;
  readonly #latestFrom: number;
  /** Bytes in flight on the bottleneck, relative to its bandwidth-delay product. */
  u = 0;
  /** Interval that u was measured over, in ns; 0 if every link was idle. */
  tau = 0;
  /** Position of the bottleneck in the path, or -1 if every link was idle. */
  link = -1;
  /** True if that link is the last one of the path, the receiver's. */
  isLastLink = false;
  /** The record that the link at hand is compared with. */
  protected last: LinkRecord | undefined = undefined;

  constructor(parameters: PathLoadParameters) {
    this.#p = parameters;
    this.#share = parameters.sharedQueue?.share ?? 1;
    this.#latestFrom = parameters.latestQueueFrom ?? Infinity;
  }

  /** The same with another T: what it remembers is relative to T and stays. */
  retuned(parameters: PathLoadParameters): PathLoad {
    return new PathLoad(parameters);
  }

  /** HPCC++ §algorithm, lines 2-7, for the path that L follows; only after the verdict `comparable`. */
  measure(ackL: readonly HopRecord[], L: LastTelemetry): void {
    // HPCC++ §algorithm, line 2: u starts at 0. If every link was idle then tau stays 0 as well,
    // which leaves U as it is.
    this.u = 0;
    this.tau = 0;
    this.link = -1;
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
      this.last = last;
      this.consider(i, txRate / B + this.#queueTerm(hop, last), dt);
    }
    this.isLastLink = this.link === ackL.length - 1;
  }

  /** HPCC++ §algorithm, lines 6-7: the bottleneck counts, and its interval with it. */
  protected consider(link: number, uHop: number, dt: number): void {
    if (uHop > this.u) {
      this.u = uHop;
      this.tau = dt;
      this.link = link;
    }
  }

  /** Takes the load that the receiver has found by the same comparison, without saying at which link. */
  take({ ratio, intervalNs }: Pick<LoadReport, 'ratio' | 'intervalNs'>): void {
    this.u = ratio;
    this.tau = intervalNs;
    this.link = -1;
    this.isLastLink = false;
  }

  /** HPCC++ §algorithm, line 5: the queue that counts, of those at both ends of an interval. */
  queueBetween(hop: HopRecord, last: LinkRecord): Bytes {
    if (hop.queueBytes < last.queueBytes) return hop.queueBytes;
    const isLong = this.#inflightRatio(hop.queueBytes, hop) >= this.#latestFrom;
    return isLong ? hop.queueBytes : last.queueBytes;
  }

  /** q/(B*T): B * T of the listing is Winit scaled from the sender's link to this one. */
  #inflightRatio(queueBytes: Bytes, { capacity }: HopRecord): number {
    const { nicRate, Winit } = this.#p;
    return (queueBytes * nicRate) / (capacity * this.#share) / Winit;
  }

  /**
   * HPCC++ §algorithm, line 5: the smaller queue filters out momentary bursts.
   *
   * Section "Work with multiple queues": where other queues share the port, the time that packets
   * wait tells more than the length of one queue; it is q/B already.
   */
  #queueTerm(hop: HopRecord, last: LinkRecord): number {
    const { T, sharedQueue } = this.#p;
    if (sharedQueue === undefined || hop.sojournNs === undefined) {
      return this.#inflightRatio(this.queueBetween(hop, last), hop);
    }
    const isLong = hop.sojournNs / T >= this.#latestFrom;
    const before = isLong ? hop.sojournNs : (last.sojournNs ?? hop.sojournNs);
    return (hop.sojournNs < before ? hop.sojournNs : before) / T;
  }
}

/**
 * The bottleneck of a path by moving averages of each link, in place of one average over whichever
 * link was fullest between two acknowledgements (HPCC++ §algorithm, lines 6 to 9).
 *
 * Where packets come in bursts, a link is full within them for a short time and nearly idle for a long
 * one in between. If the gap falls on one packet at the first link and on another one at the second,
 * each interval has some link that is full, its short time counts, and the long ones never do: U of
 * five links that are half used becomes 0.9. Each link by itself averages all its time.
 */
export class AveragedLoad extends PathLoad {
  readonly #T: number;
  /** Interval that a sample counts for, in ns. */
  readonly #sampleTime: number;

  constructor(parameters: PathLoadParameters) {
    super(parameters);
    this.#T = parameters.T;
    this.#sampleTime = parameters.T * (parameters.sampleWeight ?? 1);
  }

  override retuned(parameters: PathLoadParameters): AveragedLoad {
    return new AveragedLoad(parameters);
  }

  /** The average of the bottleneck, which replaces U unless samples count for a part of T only. */
  protected override consider(link: number, uHop: number, dt: number): void {
    const T = this.#T;
    const tau = Math.min(dt, T);
    const { last } = this;
    assert(last !== undefined, 'a link is compared with its record');
    last.averageLoad = (last.averageLoad * (T - tau) + uHop * tau) / T;
    super.consider(link, last.averageLoad, this.#sampleTime);
  }
}
