import type { Bytes, Duration, Instant } from '../../../common/units/units';
import type { SackBlock } from '../../../common/wire/hpcc/selective-ack';
import type { Acknowledgement, CongestionControl } from '../../algorithm/congestion-control';
import type { CongestionSample } from '../../carrier/congestion-sample';
import type { SegmentLost } from '../recovery/loss-recovery';

/** Data of one flow, and the algorithm that controls it. */
export interface FlowSenderOptions {
  /** Payload bytes to send, at least 1. */
  readonly bytes: Bytes;
  /** More bytes may be appended later; the flow completes only after {@link FlowSender.append}. */
  readonly isOpen: boolean;
  readonly startedAt: Instant;
  readonly congestionControl: CongestionControl;
  /** Ends of segments for a transport with messages; absent: all but the last are full. */
  readonly shape?: SegmentShape;
  /** The segment at `sequence` is taken for lost, by a sender that repeats single segments. */
  readonly onSegmentLost?: SegmentLost;
}

/** Settings that the flows of a host have in common. */
export interface SenderSettings {
  /** Payload bytes of a full segment. */
  readonly mss: Bytes;
  /** Wire bytes of a data frame besides its payload, as it leaves the host. */
  readonly headerLength: Bytes;
  /** Switches on the path, as assumed until telemetry tells. */
  readonly expectedHops: number;
  /** Bytes that each of them adds. Default: those of the basic block. */
  readonly hopLength?: Bytes;
  readonly baseRtt: Duration;
  readonly retransmissionTimeout: Duration;
  /** Repeats single segments, of which at most so many bytes are beyond the acknowledgement. */
  readonly reorderSpan?: Bytes;
  /** One of so many segments collects telemetry; 0: none does, probes do. Default 1. */
  readonly collectEvery?: number;
  /** So many segments of each window collect telemetry, in place of one of so many. Default 0. */
  readonly samplesPerWindow?: number;
  /** The flow is to react to telemetry: it notices when it cannot. Default false. */
  readonly needsTelemetry?: boolean;
  /** It obeys windows of the receiver's algorithm. Default false. */
  readonly obeysReceiver?: boolean;
  /** Wire bytes that a segment saves which collects no telemetry. Default 0. */
  readonly plainSaving?: Bytes;
  /** The sender measures round trips itself: packets have no place for the time. Default false. */
  readonly timesSegments?: boolean;
  /** Its receiver may have it wait for its turn. Default false. */
  readonly takesTurns?: boolean;
}

export interface SegmentShape {
  /** Sequence numbers that the segment at `sequence` takes. */
  lengthAt(sequence: number): Bytes;
  /** Wire bytes that it has beyond `headerLength` and its length; may be negative. */
  extraAt(sequence: number): Bytes;
}

export interface Segment {
  readonly sequence: number;
  readonly length: Bytes;
  readonly isLast: boolean;
  readonly isRetransmission: boolean;
  /** The switches shall add their telemetry. */
  readonly collects: boolean;
}

/** PERF: filled in again for each segment. */
export const SEGMENT: { -readonly [Name in keyof Segment]: Segment[Name] } = {
  sequence: 0,
  length: 0,
  isLast: false,
  isRetransmission: false,
  collects: false,
};

/** Makes an empty object to be filled in. */
export const noAcknowledgement = (): {
  -readonly [Name in keyof Acknowledgement]: Acknowledgement[Name];
} => ({
  ackSequence: 0,
  nextSequence: 0,
  now: 0,
  endsRound: undefined,
  telemetry: [],
  isIncomplete: false,
  isOneLink: undefined,
  isMarked: false,
  rtt: undefined,
  arrivedBytes: undefined,
  load: undefined,
});

/** PERF: and for each acknowledgement, where the algorithm keeps none. */
export const ACKNOWLEDGEMENT = noAcknowledgement();

export interface SenderAck {
  readonly ackSequence: number;
  readonly isNack: boolean;
  /** Blocks that the receiver has beyond it. */
  readonly blocks?: readonly SackBlock[] | undefined;
  /** A switch has marked what it acknowledges (ECN). Default false. */
  readonly isMarked?: boolean;
  /** Telemetry that came with it; absent: none was to come. */
  readonly sample?: CongestionSample | undefined;
  /** Telemetry that came with it of packets before the latest, from the oldest on. */
  readonly earlier?: readonly CongestionSample[] | undefined;
}
