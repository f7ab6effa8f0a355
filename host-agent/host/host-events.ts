import type { Bytes, Duration, Instant } from '../../common/units/units';
import type { SettingDifference } from '../settings/agreement';
import type { AuthRejection } from '../feedback/feedback-auth';

/**
 * Reason why a packet was dropped. `old-generation`: data of an earlier flow with the same id.
 * `unknown-flow`: feedback for no flow that this host has sent. `unrequested`: an answer to nothing that
 * this host has asked. `unauthenticated`, `replayed`: feedback that the host's keys refuse. `signed`:
 * feedback with a signature, at a host without keys. `bad-icrc`: a RoCEv2 packet that was damaged on its
 * way. `forged`: feedback without the token of its flow. `unconfirmed`: data of a flow whose sender has not
 * shown that it receives at its address, beyond what is kept of such flows. `too-many-flows`: data of a
 * flow for which there is no room.
 */
export type PacketRejection =
  | 'malformed'
  | 'not-for-this-host'
  | 'other-protocol'
  | 'old-generation'
  | 'unknown-flow'
  | 'acknowledges-unsent'
  | 'unrequested'
  | 'unauthenticated'
  | 'signed'
  | 'replayed'
  | 'bad-icrc'
  | 'forged'
  | 'unconfirmed'
  | 'too-many-flows';

export type HostEvent =
  | {
      readonly kind: 'flow-started';
      readonly flow: number;
      readonly startedAt: Instant;
      readonly bytes: Bytes;
    }
  | {
      /** Every byte has been acknowledged; seen by the sender. */
      readonly kind: 'flow-completed';
      readonly flow: number;
      readonly startedAt: Instant;
      readonly completedAt: Instant;
      readonly bytes: Bytes;
      readonly segmentsRetransmitted: number;
      /** Times that nothing was heard for so long that all was sent again. */
      readonly timeouts: number;
      /** Time for which the flow has sent without being able to react to anything. */
      readonly uncontrolledTime: Duration;
      /** Responses of switches, of a flow that they alone control. */
      readonly switchResponses?: number;
    }
  | {
      /** The flow was given up with bytes unacknowledged. */
      readonly kind: 'flow-failed';
      readonly flow: number;
      readonly at: Instant;
      /** Reason for people. */
      readonly reason: string;
    }
  | {
      /** The other end of flows has other settings that both need alike; seen by both. */
      readonly kind: 'settings-differ';
      readonly peerAddress: number;
      readonly differences: readonly SettingDifference[];
    }
  | {
      /** Every byte has been received in order; seen by the receiver. */
      readonly kind: 'flow-received';
      readonly flow: number;
      readonly sourceAddress: number;
      readonly receivedAt: Instant;
      readonly bytes: Bytes;
    }
  | {
      /** Pauses of the link let nothing of a priority go any more, or have ended. */
      readonly kind: 'pause-storm';
      readonly priority: number;
      readonly isStorm: boolean;
    }
  | {
      readonly kind: 'packet-rejected';
      readonly at: Instant;
      readonly reason: PacketRejection;
      /** Details for people: what was wanted, what was found, and where. */
      readonly detail: string;
    };

export interface HostCounters {
  /** Data and probes. */
  readonly dataSent: number;
  /** Acknowledgements, notifications, responses and windows. */
  readonly acksSent: number;
  readonly dataReceived: number;
  readonly acksReceived: number;
  /** Feedback for flows that have completed already, or older than what is known. */
  readonly acksLate: number;
  /** Headers of data whose payload a switch has cut off. */
  readonly trimmedReceived: number;
  readonly bytesDelivered: Bytes;
  /** Packets whose data was used but whose INT bytes were refused. */
  readonly telemetryRefused: number;
  /** Data that arrived behind later data of its flow, other than what was sent again; not over RoCEv2. */
  readonly reorderedPackets: number;
  /** Distances by which it was behind, in bytes of the flow (RFC 4737, section 4.3): sum and largest. */
  readonly reorderedBytes: Bytes;
  readonly reorderedBytesMax: Bytes;
  readonly packetsRejected: Readonly<Record<PacketRejection, number>>;
}

/** Outcome of feedback. `late`: its flow had completed already, or newer feedback came first. */
export type FeedbackOutcome =
  | 'taken'
  | 'late'
  | 'unknown-flow'
  | 'acknowledges-unsent'
  | 'unrequested'
  | 'forged'
  | AuthRejection;
