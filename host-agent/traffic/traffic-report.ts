import { jainIndex } from '../../common/statistics/statistics';
import type { BitsPerSecond, Bytes } from '../../common/units/units';
import type { ControlFigures } from './metered-control';

/** One flow at one moment, as the sender knows it. Times are seconds since the flow's start. */
export interface FlowSample extends ControlFigures {
  readonly flow: number;
  readonly acknowledgedBytes: Bytes;
  readonly segmentsRetransmitted: number;
  /** Time for which the flow has sent without being able to react to anything. */
  readonly uncontrolledSeconds: number;
  readonly isComplete: boolean;
  /** Flow completion time; the time so far of a flow that is not complete. */
  readonly seconds: number;
}

/** A flow during one interval. */
export interface FlowInterval {
  readonly flow: number;
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

/** Computes the figures of a flow between two samples of it; `before` is undefined for its first interval. */
export function intervalBetween(
  before: FlowSample | undefined,
  after: FlowSample,
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

/** All flows together; they started at the same time. */
export function trafficTotal(flows: readonly FlowTotal[]): TrafficTotal {
  const sum = (of: (flow: FlowTotal) => number): number =>
    flows.reduce((total, flow) => total + of(flow), 0);
  const bytes = sum((flow) => flow.acknowledgedBytes);
  const seconds = Math.max(0, ...flows.map((flow) => flow.seconds));
  return {
    bytes,
    seconds,
    bitsPerSecond: rate(bytes, seconds),
    segmentsRetransmitted: sum((flow) => flow.segmentsRetransmitted),
    queueBytesMax: longest(flows.flatMap(({ queueBytesMax }) => queueBytesMax ?? [])),
    jain: jainIndex(flows.map((flow) => flow.bitsPerSecond)),
    unfinishedFlows: flows.filter((flow) => !flow.isComplete).length,
  };
}

const longest = (queues: readonly Bytes[]): Bytes | null =>
  queues.length === 0 ? null : Math.max(...queues);

const rate = (bytes: Bytes, seconds: number): BitsPerSecond =>
  seconds > 0 ? (bytes * 8) / seconds : 0;
