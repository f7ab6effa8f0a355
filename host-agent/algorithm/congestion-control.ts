import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import type { WindowRecord } from '../../common/wire/hpcc/feedback-records';

/** One acknowledgement, as the congestion-control algorithm of the sender takes it. */
export interface Acknowledgement {
  /** Cumulative: the next payload byte that the receiver expects, from 0 to 2^53 - 1. */
  readonly ackSequence: number;
  /** The next payload byte that the sender would send, after this acknowledgement took effect. */
  readonly nextSequence: number;
  /**
   * The links that the acknowledged packet crossed, in the order of the path from sender to
   * receiver; empty when the acknowledgement carried no usable telemetry. The records are kept
   * until a later acknowledgement replaces them, so they must not be changed afterwards.
   */
  readonly telemetry: readonly HopRecord[];
  /** True if a switch on the path could not add its record, so that `telemetry` misses a link. */
  readonly isIncomplete: boolean;
  /**
   * True for the response of a switch: one record is ahead of those that packets bring, the others are
   * repeated from them. Absent otherwise.
   */
  readonly isOneLink?: boolean | undefined;
  /**
   * True if the telemetry is of packets that left after the last change of the reference window, from a
   * transport that knows: one that has a single sample on its way, or marks its packets. Without it the
   * sequences decide.
   */
  readonly endsRound?: boolean | undefined;
  /**
   * The ECN echo: a switch has marked the data that is acknowledged (RFC 3168). Absent or false
   * without a mark, and where flows do not ask for marks.
   */
  readonly isMarked?: boolean;
  /**
   * Round-trip time of the acknowledged packet in ps, by the timestamp that came back with the
   * acknowledgement. Absent where flows carry none.
   */
  readonly rtt?: Duration | undefined;
  /** Payload bytes that it has shown to have arrived, in whatever order. Absent for feedback that acknowledges nothing. */
  readonly arrivedBytes?: Bytes | undefined;
  /** Load of the bottleneck of the path, U, as one byte of telemetry tells it; absent without. */
  readonly load?: number | undefined;
  /** The sender's own clock in ps; only differences are used. */
  readonly now: Instant;
}

/** Data that has not arrived. */
export interface Loss {
  /**
   * `gap`: the receiver has seen what was sent later. `timeout`: nothing was heard for long. `trim`: a switch
   * has cut the segment to its header.
   */
  readonly kind: 'gap' | 'timeout' | 'trim';
  /** First byte that is missing. */
  readonly sequence: number;
  /** The next payload byte that the sender would have sent. */
  readonly nextSequence: number;
  readonly now: Instant;
}

/** Feedback on a path whose links are not revealed; the receiver compared them. */
export interface LoadReport extends Pick<
  Acknowledgement,
  'ackSequence' | 'nextSequence' | 'endsRound' | 'now'
> {
  /** u: bytes in flight on the bottleneck, relative to its bandwidth-delay product. */
  readonly ratio: number;
  /** tau: what the ratio was measured over, in ns. */
  readonly intervalNs: number;
}

/**
 * Congestion control of one flow: what the transport learns goes in, window and rate come out. It has
 * no clock, sends nothing and does not know whether an acknowledgement, a probe or a notification
 * brought what it learns. HPCC++ is one user of it; what others need besides is optional, so that
 * nobody pays for what they do not hear.
 */
export interface CongestionControl {
  /**
   * True if the algorithm retains nothing of an {@link Acknowledgement}, neither it nor its records: they
   * may be filled in again for the next one. Default false. PERF: else a record per hop and acknowledgement is allocated.
   */
  readonly retainsNoInput?: boolean;
  /** True while the algorithm is not to react to what it hears, which then is no lack of control. Default false. */
  readonly ignoresFeedback?: boolean;
  /** Every acknowledgement. Returns what it did. */
  onAck(ack: Acknowledgement): AckKind;
  /** Takes feedback as {@link onAck} does, for a network that reveals loads but not links. */
  onLoad(report: LoadReport): AckKind;
  /** The receiver counts `flows` on its link, at least 1, which sets the fair additive step. */
  onFlowCount(flows: number): void;
  /**
   * The flow resumes after it was idle, with nothing in flight, for more than a few base RTTs: what
   * the algorithm remembers of the path describes another time.
   *
   * The transport says so because the algorithm cannot see it. A flow whose window is below one
   * packet rightly gets acknowledgements less often than every few base RTTs.
   */
  onIdleRestart(now: Instant): void;
  /**
   * T was measured, or has changed: window and bounds follow, and the rate stays what it is. Absent
   * where T does not matter, or cannot change.
   */
  onBaseRtt?(baseRtt: Duration): void;
  /** A congestion notification packet (CNP, RoCEv2 annex A17.9.3) of the receiver. */
  onCongestionNotification?(now: Instant): void;
  /**
   * A window of the receiver's algorithm. Returns false, having done nothing, if a later one is in force
   * already. Absent where the algorithm runs here.
   */
  onWindow?(now: Instant, record: WindowRecord): boolean;
  /** Data was lost; once for all that is sent again together, but for each segment that was trimmed. */
  onLoss?(loss: Loss): void;
  /** Time at which {@link onWakeup} has something to do, or Infinity; absent: never. */
  readonly wakeupAt?: Instant;
  /** Does what is due by now; does nothing when woken early. */
  onWakeup?(now: Instant): void;
  /** Payload bytes that may be unacknowledged; may be below one packet and fractional. */
  readonly windowBytes: Bytes;
  /** Credit of the receiver, which takes the place of the window. Absent: the window counts. */
  readonly credit?: Credit | undefined;
  /** Rate at which packets shall be paced, in bits of the wire per second. */
  readonly pacingRate: BitsPerSecond;
  /** A copy for reports; taking it changes nothing. */
  metrics(): CongestionMetrics;
}

/** Payload bytes that a receiver lets a flow send, and those that the flow asks it for. */
export interface Credit {
  /** A segment may leave while it is above 0, whatever is in flight; below 0 by less than a segment. */
  readonly bytes: Bytes;
  /** The receiver has been told to want more than it has granted. */
  readonly isOwed: boolean;
  /** A segment leaves. */
  spend(bytes: Bytes): void;
  /** All credit that the flow wants from its start on, with `backlog` bytes to send, as its next packet tells. */
  target(backlog: Bytes): Bytes;
}

/** State and counters of one flow. */
export interface CongestionMetrics {
  readonly windowBytes: Bytes;
  readonly referenceWindowBytes: Bytes;
  readonly pacingRate: BitsPerSecond;
  /**
   * U: bytes in flight on the bottleneck, relative to its bandwidth-delay product; null where the other
   * end of the flow runs the algorithm.
   */
  readonly normalizedInflight: number | null;
  readonly incStage: number;
  /** Acknowledgements whose telemetry changed the window, or windows of the receiver that did. */
  readonly acksProcessed: number;
  /** Number of them that also changed the reference window. */
  readonly commits: number;
  /** Responses of switches, of a flow that they alone control; absent: its packets bring telemetry. */
  readonly switchResponses?: number;
  readonly telemetryRejected: number;
  readonly telemetryStale: number;
  readonly pathChanges: number;
}

/** Properties of the host and the flow that congestion control needs. */
export interface FlowEnvironment {
  readonly linkRate: BitsPerSecond;
  readonly baseRtt: Duration;
  /** Payload bytes of a full segment. Default 1000. */
  readonly segmentBytes?: Bytes;
  readonly sink?: CongestionEventSink;
}

export type CongestionControlFactory = (environment: FlowEnvironment) => CongestionControl;

/**
 * Reason why telemetry was not used. `incomplete`: a link of the path is missing, and it may be the
 * bottleneck. `stale`: older than what is already known (a reordered packet). `unknown-link`, and
 * `implausible` (more than the link can carry): damaged or forged.
 */
export type TelemetryRejection =
  | 'no-hops'
  | 'too-many-hops'
  | 'incomplete'
  | 'unknown-capacity'
  | 'stale'
  | 'unknown-link'
  | 'implausible';

/**
 * Effect of an acknowledgement. `first`: stored the telemetry for comparison and nothing else. `update`:
 * changed window and reference window. `fast`: changed the window only. `noted`: was usable and changed nothing, as
 * the algorithm acts once in a round. `ignored`: its telemetry was rejected or no time had passed on any link.
 */
export type AckKind = 'first' | 'update' | 'fast' | 'noted' | 'ignored';

/** Events that the algorithm reports to its sink; `now` is the clock of the acknowledgement, in ps. */
export type CongestionEvent =
  | {
      readonly kind: 'ack-processed';
      readonly now: Instant;
      readonly ackSequence: number;
      readonly ackKind: AckKind;
      readonly normalizedInflight: number;
    }
  | {
      readonly kind: 'window-updated';
      readonly now: Instant;
      readonly windowBytes: Bytes;
      readonly referenceWindowBytes: Bytes;
      readonly pacingRate: BitsPerSecond;
      readonly incStage: number;
    }
  | { readonly kind: 'path-changed'; readonly now: Instant; readonly hops: number }
  | {
      readonly kind: 'telemetry-rejected';
      readonly now: Instant;
      readonly reason: TelemetryRejection;
      readonly hops: number;
    };

/** Receives events synchronously; it must not call back into the algorithm. */
export type CongestionEventSink = (event: CongestionEvent) => void;
