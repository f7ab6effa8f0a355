import { LogHistogram } from '../../common/statistics/log-histogram';
import type { BitsPerSecond, Bytes } from '../../common/units/units';
import type { ControlFigures } from './metered-control';

/** One flow at one moment, as the sender knows it. Times are seconds since the flow's start. */
export interface FlowSample extends ControlFigures {
  readonly flow: number;
  readonly acknowledgedBytes: Bytes;
  readonly segmentsRetransmitted: number;
  /** Times that nothing was heard for so long that all was sent again. */
  readonly timeouts: number;
  /** Time for which the flow has sent without being able to react to anything. */
  readonly uncontrolledSeconds: number;
  readonly isComplete: boolean;
  /** Flow completion time; the time so far of a flow that is not complete. */
  readonly seconds: number;
}

/** A flow during one interval. */
export interface FlowInterval {
  /** Id of the flow; `all` of many flows that follow each other. */
  readonly flow: number | 'all';
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly bytes: Bytes;
  readonly bitsPerSecond: BitsPerSecond;
  readonly segmentsRetransmitted: number;
  readonly windowBytes: Bytes;
  readonly pacingRate: BitsPerSecond;
  readonly normalizedInflight: number | null;
  readonly queueBytes: Bytes | null;
}

/** A flow from its start to its end. */
export interface FlowTotal extends FlowSample {
  readonly bitsPerSecond: BitsPerSecond;
  /** SHA-256 of the payload in hexadecimal, where payload was asked for. */
  readonly sha256?: string;
}

export interface TrafficTotal {
  /** Flows that began. */
  readonly flows: number;
  readonly bytes: Bytes;
  /** Seconds from the start of the first to the end of the last flow. */
  readonly seconds: number;
  readonly bitsPerSecond: BitsPerSecond;
  readonly segmentsRetransmitted: number;
  /** Null if no flow has seen a link. */
  readonly queueBytesMax: Bytes | null;
  /** Jain's index of the flows' throughputs: 1 when all are equal, 1/n when one has all. */
  readonly jain: number;
  readonly unfinishedFlows: number;
  /** Flows that sent without control for more than moments. */
  readonly uncontrolledFlows: number;
  /** Completion times of finished flows in seconds, within 1 %. */
  readonly fctSeconds: { readonly median: number; readonly p99: number; readonly max: number };
}

/**
 * Share of a flow's time without control from which on it counts as one without. Moments are named only: on a
 * busy machine an end of the flow may stand still for some T.
 */
const UNCONTROLLED_MOST = 0.05;

/** True if a real flow has sent without control for more than moments. */
export const isUncontrolled = ({
  uncontrolledSeconds,
  seconds,
}: Pick<FlowSample, 'uncontrolledSeconds' | 'seconds'>): boolean =>
  uncontrolledSeconds > UNCONTROLLED_MOST * seconds;

type Counted = Pick<FlowSample, 'acknowledgedBytes' | 'segmentsRetransmitted'>;
type Present = Pick<
  FlowInterval,
  'windowBytes' | 'pacingRate' | 'normalizedInflight' | 'queueBytes'
>;

/** Computes the figures of a flow between two samples of it; `before` is undefined for its first interval. */
export function intervalBetween(
  before: Counted | undefined,
  after: Counted & Pick<FlowInterval, 'flow' | keyof Present>,
  time: { readonly from: number; readonly to: number },
): FlowInterval {
  const bytes = after.acknowledgedBytes - (before?.acknowledgedBytes ?? 0);
  return {
    flow: after.flow,
    fromSeconds: time.from,
    toSeconds: time.to,
    bytes,
    bitsPerSecond: rate(bytes, time.to - time.from),
    segmentsRetransmitted: after.segmentsRetransmitted - (before?.segmentsRetransmitted ?? 0),
    windowBytes: after.windowBytes,
    pacingRate: after.pacingRate,
    normalizedInflight: after.normalizedInflight,
    queueBytes: after.queueBytes,
  };
}

export function flowTotal(sample: FlowSample, sha256?: string): FlowTotal {
  const bitsPerSecond = rate(sample.acknowledgedBytes, sample.seconds);
  return { ...sample, bitsPerSecond, ...(sha256 !== undefined && { sha256 }) };
}

/** Figures of any number of flows together, in memory that does not grow with them. */
export class TrafficTally {
  readonly #times = new LogHistogram();
  #flows = 0;
  #unfinished = 0;
  #uncontrolled = 0;
  #bytes = 0;
  #retransmitted = 0;
  #seconds = 0;
  #queueBytesMax: Bytes | null = null;
  #rates = 0;
  #squaredRates = 0;

  /** @param startedAfter seconds from the start of the first flow to that of this one. */
  add(flow: FlowTotal, startedAfter = 0): void {
    const { acknowledgedBytes, seconds, bitsPerSecond, queueBytesMax, isComplete } = flow;
    this.#flows++;
    if (!isComplete) this.#unfinished++;
    else if (seconds > 0) this.#times.add(seconds);
    if (isUncontrolled(flow)) this.#uncontrolled++;
    this.#bytes += acknowledgedBytes;
    this.#retransmitted += flow.segmentsRetransmitted;
    this.#seconds = Math.max(this.#seconds, startedAfter + seconds);
    if (queueBytesMax !== null) {
      this.#queueBytesMax = Math.max(this.#queueBytesMax ?? 0, queueBytesMax);
    }
    this.#rates += bitsPerSecond;
    this.#squaredRates += bitsPerSecond * bitsPerSecond;
  }

  get flows(): number {
    return this.#flows;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  get segmentsRetransmitted(): number {
    return this.#retransmitted;
  }

  total(): TrafficTotal {
    const [rates, squares] = [this.#rates, this.#squaredRates];
    return {
      flows: this.#flows,
      bytes: this.#bytes,
      seconds: this.#seconds,
      bitsPerSecond: rate(this.#bytes, this.#seconds),
      segmentsRetransmitted: this.#retransmitted,
      queueBytesMax: this.#queueBytesMax,
      jain: squares === 0 ? 1 : (rates * rates) / (this.#flows * squares),
      unfinishedFlows: this.#unfinished,
      uncontrolledFlows: this.#uncontrolled,
      fctSeconds: {
        median: this.#times.percentile(0.5),
        p99: this.#times.percentile(0.99),
        max: this.#times.max,
      },
    };
  }
}

/** Flows of which one ends and another begins, as one: what all have done, and what those do that run. */
export function summedSample(
  running: readonly FlowSample[],
  ended: Pick<TrafficTally, 'bytes' | 'segmentsRetransmitted'>,
): Pick<FlowInterval, 'windowBytes' | 'pacingRate' | 'queueBytes'> &
  Pick<FlowSample, 'acknowledgedBytes' | 'segmentsRetransmitted'> {
  const sum = (of: (flow: FlowSample) => number): number =>
    running.reduce((total, flow) => total + of(flow), 0);
  const queues = running.flatMap(({ queueBytes }) => queueBytes ?? []);
  return {
    acknowledgedBytes: ended.bytes + sum((flow) => flow.acknowledgedBytes),
    segmentsRetransmitted: ended.segmentsRetransmitted + sum((flow) => flow.segmentsRetransmitted),
    windowBytes: sum((flow) => flow.windowBytes),
    pacingRate: sum((flow) => flow.pacingRate),
    queueBytes: queues.length === 0 ? null : Math.max(...queues),
  };
}

const rate = (bytes: Bytes, seconds: number): BitsPerSecond =>
  seconds > 0 ? (bytes * 8) / seconds : 0;
