import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { PS_PER_SECOND, serialisationTime } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';

/** Segments that one grant is for (UEC 1.0; `UecSink::_mtus_per_pull`). */
const SEGMENTS_PER_GRANT = 4;
/** Share of the link that is granted, so that queues drain (`main_uec.cpp`). */
const GRANTED_SHARE = 0.99;
/** Credit beyond what a flow wants, in bandwidth-delay products: the most that its sender keeps (`getConfiguredMaxWnd`). */
const SPARE_BDPS = 1.5;

/** Credit of one flow, in payload bytes from its start on. */
export interface CreditDemand {
  /** Wanted so far. */
  target: Bytes;
  granted: Bytes;
  grants: number;
  /** Frame bytes besides the payload, and payload of its longest segment. */
  headers: Bytes;
  segment: Bytes;
  isWaiting: boolean;
  /** It has got what it wants, and may get more. */
  isSpared: boolean;
}

/** A flow that may want credit; what has been received whole wants no more. */
export interface CreditedFlow {
  demand: CreditDemand | undefined;
  readonly isFinished: boolean;
}

/**
 * Credit of all flows that a host receives: RCCC's half at the receiver (Ultra Ethernet 1.0; `UecPullPacer`). Flows
 * that want some take turns, a few segments each, as fast as their frames fill the link. While none wants any, those
 * that have not ended are granted some to spare, in turns, too (slow pulls): what was lost then needs no new demand,
 * which no packet could bring.
 */
export class CreditSchedule<Flow extends CreditedFlow> {
  readonly #rate: BitsPerSecond;
  readonly #spareMax: Bytes;
  readonly #waiting = new Fifo<Flow>();
  /** Flows that have got what they want. */
  readonly #satisfied = new Fifo<Flow>();
  #nextAt: Instant = 0;

  constructor(linkRate: BitsPerSecond, baseRtt: Duration) {
    this.#rate = GRANTED_SHARE * linkRate;
    this.#spareMax = (SPARE_BDPS * linkRate * baseRtt) / (8 * PS_PER_SECOND);
  }

  /** A packet of the flow says what it wants, and what its frames look like. */
  want(
    now: Instant,
    flow: Flow,
    { target, headers, segment }: Pick<CreditDemand, 'target' | 'headers' | 'segment'>,
  ): void {
    const demand = (flow.demand ??= newDemand());
    demand.headers = headers;
    if (segment > demand.segment) demand.segment = segment;
    if (target > demand.target) demand.target = target;
    this.#queue(now, flow, demand);
  }

  /** A switch has cut a segment: a flow that wants nothing besides wants as much again. */
  wantAgain(now: Instant, flow: Flow, length: Bytes): void {
    const { demand } = flow;
    if (demand === undefined || demand.target > demand.granted) return;
    demand.target = demand.granted + length;
    this.#queue(now, flow, demand);
  }

  /** When {@link take} has a flow; Infinity if none is to get credit. */
  get nextAt(): Instant {
    return this.#waiting.isEmpty && this.#satisfied.isEmpty ? Infinity : this.#nextAt;
  }

  /** The flow whose turn it is, after it has been granted more. */
  take(now: Instant): Flow | undefined {
    while (this.#nextAt <= now) {
      const flow = this.#waiting.take() ?? this.#satisfied.take();
      if (flow === undefined) return undefined;
      const { demand } = flow;
      if (demand === undefined || flow.isFinished) continue;
      if (demand.isWaiting) {
        demand.isWaiting = false;
        this.#grant(now, demand, demand.target - demand.granted);
        this.#queue(now, flow, demand);
        if (!demand.isWaiting) this.#spare(flow, demand);
        return flow;
      }
      demand.isSpared = false;
      const spare = this.#spareOf(demand);
      if (spare <= 0) continue;
      this.#grant(now, demand, spare);
      this.#spare(flow, demand);
      return flow;
    }
    return undefined;
  }

  #grant(now: Instant, demand: CreditDemand, most: Bytes): void {
    const bytes = Math.min(most, SEGMENTS_PER_GRANT * demand.segment);
    demand.granted += bytes;
    demand.grants++;
    const frames = bytes + Math.ceil(bytes / demand.segment) * demand.headers;
    this.#nextAt = Math.max(this.#nextAt, now) + serialisationTime(frames, this.#rate);
  }

  #queue(now: Instant, flow: Flow, demand: CreditDemand): void {
    if (demand.isWaiting || demand.target <= demand.granted) return;
    if (this.nextAt === Infinity) this.#nextAt = Math.max(this.#nextAt, now);
    demand.isWaiting = true;
    this.#waiting.push(flow);
  }

  #spare(flow: Flow, demand: CreditDemand): void {
    if (demand.isSpared || this.#spareOf(demand) <= 0) return;
    demand.isSpared = true;
    this.#satisfied.push(flow);
  }

  #spareOf({ target, granted }: CreditDemand): Bytes {
    return target + this.#spareMax - granted;
  }
}

const newDemand = (): CreditDemand => ({
  target: 0,
  granted: 0,
  grants: 0,
  headers: 0,
  segment: 1,
  isWaiting: false,
  isSpared: false,
});
