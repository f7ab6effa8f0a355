import type { BitsPerSecond, Bytes, Instant } from '../../../common/units/units';
import { serialisationTime } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';

/** Segments that one grant is for (UEC 1.0; `UecSink::_mtus_per_pull`). */
const SEGMENTS_PER_GRANT = 4;
/** Share of the link that is granted, so that queues drain (`main_uec.cpp`). */
const GRANTED_SHARE = 0.99;

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
}

/** A flow that may want credit; what has been received whole wants no more. */
export interface CreditedFlow {
  demand: CreditDemand | undefined;
  readonly isFinished: boolean;
}

/**
 * Credit of all flows that a host receives: RCCC's half at the receiver (Ultra Ethernet 1.0; `UecPullPacer`). Flows
 * that want some take turns, a few segments each, as fast as their frames fill the link. A flow gets no more than it
 * wants, and none at its own risk after it.
 */
export class CreditSchedule<Flow extends CreditedFlow> {
  readonly #rate: BitsPerSecond;
  readonly #waiting = new Fifo<Flow>();
  #nextAt: Instant = 0;

  constructor(linkRate: BitsPerSecond) {
    this.#rate = GRANTED_SHARE * linkRate;
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

  /** When {@link take} has a flow; Infinity if none wants credit. */
  get nextAt(): Instant {
    return this.#waiting.isEmpty ? Infinity : this.#nextAt;
  }

  /** The flow whose turn it is, after it has been granted more. */
  take(now: Instant): Flow | undefined {
    while (!this.#waiting.isEmpty && this.#nextAt <= now) {
      const flow = this.#waiting.take();
      const demand = flow?.demand;
      if (flow === undefined || demand === undefined) continue;
      demand.isWaiting = false;
      const missing = demand.target - demand.granted;
      if (flow.isFinished || missing <= 0) continue;
      const bytes = Math.min(missing, SEGMENTS_PER_GRANT * demand.segment);
      demand.granted += bytes;
      demand.grants++;
      const frames = bytes + Math.ceil(bytes / demand.segment) * demand.headers;
      this.#nextAt = Math.max(this.#nextAt, now) + serialisationTime(frames, this.#rate);
      this.#queue(now, flow, demand);
      return flow;
    }
    return undefined;
  }

  #queue(now: Instant, flow: Flow, demand: CreditDemand): void {
    if (demand.isWaiting || demand.target <= demand.granted) return;
    if (this.#waiting.isEmpty) this.#nextAt = Math.max(this.#nextAt, now);
    demand.isWaiting = true;
    this.#waiting.push(flow);
  }
}

const newDemand = (): CreditDemand => ({
  target: 0,
  granted: 0,
  grants: 0,
  headers: 0,
  segment: 1,
  isWaiting: false,
});
