import type { Packet } from '../../common/packet/packet';
import type { Bytes, Duration, Instant, InstantCell } from '../../common/units/units';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import type { CoordinationCounters } from '../coordination/host-coordination';
import type { FlowSpec } from './host-config';
import type { HostCounters, HostEvent } from './host-events';

export interface FlowMetrics {
  readonly congestion: CongestionMetrics;
  readonly acknowledgedBytes: Bytes;
  readonly inflightBytes: Bytes;
  /** Bytes of the flow that have been sent at least once. */
  readonly sentBytesMax: Bytes;
  readonly segmentsRetransmitted: number;
  /** Time for which the flow has sent without being able to react to anything; see docs/agent.md. */
  readonly uncontrolledTime: Duration;
  readonly timeouts: number;
  /** Requests for what was lost that the receiver has sent: at a gap, and for each segment that was trimmed. */
  readonly nacks: number;
  readonly probesSent: number;
  readonly probeTimeouts: number;
  /** Changes of path that the flow made by itself. */
  readonly moves: number;
}

/** Why a flow's next segment does not leave, apart from an interface that is busy. */
export interface FlowHold {
  /**
   * `nothing-to-send`: all bytes that it has been given have left. `window`: as many bytes are in flight as
   * it allows. `draining`: what is in flight has to arrive first. `pacing`: nothing else holds it.
   */
  readonly by: 'nothing-to-send' | 'window' | 'draining' | 'pacing';
  /** Instant from which on pacing lets it leave. */
  readonly pacedUntil: Instant;
}

/**
 * A host as its drivers see it, whatever its packets look like: a state machine without clock and
 * sockets. See `HostAgent` for the order of the calls.
 */
export interface Agent {
  startFlow(now: Instant, spec: FlowSpec): void;
  appendToFlow(
    now: Instant,
    id: number,
    more: { readonly bytes: Bytes; readonly isLast: boolean },
  ): void;
  handlePacket(now: Instant, packet: Packet): void;
  handleWakeup(now: Instant): void;
  /**
   * The driver itself did not run for so long: nobody read what arrived, and what is in flight is younger by that.
   */
  handleStandstill(duration: Duration): void;
  pollTransmit(now: Instant): Packet | undefined;
  pollWakeup(): Instant | undefined;
  /**
   * Writes the same, or Infinity, where nothing is due at present: {@link pollTransmit} has just had nothing, or
   * {@link mayTransmit} is false. PERF: an instant that is returned becomes an object. Absent: not to be had.
   */
  writeWakeup?(into: InstantCell): void;
  /**
   * True if {@link pollTransmit} might have a frame at some instant up to `until` if nothing happens before
   * then: an interface that is busy until then need not ask otherwise. Absent: it might.
   */
  mayTransmit?(until: InstantCell): boolean;
  pollEvent(): HostEvent | undefined;
  flowMetrics(id: number): FlowMetrics | undefined;
  /** State of the algorithm of a flow that this host sends; undefined before it has anything to send. */
  senderMetrics(id: number): CongestionMetrics | undefined;
  /**
   * State of the algorithm of a flow from that address; undefined unless this host, which receives the
   * flow, runs it.
   */
  receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined;
  /**
   * Bytes that the window of a running flow leaves, negative where more is in flight. PERF: for what asks
   * at every packet.
   */
  windowLeft(id: number): Bytes | undefined;
  /** Reason why a running flow that this host sends does not go on; undefined for others. */
  flowHold(id: number): FlowHold | undefined;
  counters(): HostCounters;
  /** Counts of notifications from switches; undefined unless the host listens to them. */
  coordination(): CoordinationCounters | undefined;
}
