import type { Bytes, Duration, Instant } from '../../../common/units/units';
import type { WindowRecord } from '../../../common/wire/hpcc/feedback-records';
import type { CongestionControlFactory } from '../../algorithm/congestion-control';
import type { CoordinationEffect } from '../../coordination/flow-coordination';
import type { FlowKey } from '../../coordination/host-coordination';
import type { CongestionSample } from '../../carrier/congestion-sample';
import type { FlowMetrics } from '../../host/agent';
import type { CheckedHostConfig, FlowSpec } from '../../host/host-config';
import type { FeedbackOutcome } from '../../host/host-events';
import type { FlowSender } from './sender';

/** View of a flow for its helpers: what they may read of it, and do with it. */
export interface HelpedFlow {
  readonly config: CheckedHostConfig;
  readonly spec: FlowSpec;
  /** Not before {@link FlowHelper.start}. */
  readonly sender: FlowSender;
  /** True if the flow is changing to another path. */
  readonly isLeaving: boolean;
  /** Key of the flow on `path` in the network; paths are counted from the first, 0. */
  keyOf(path: number): FlowKey;
  /** Goes on over `path` once nothing is in flight on the present one. */
  leaveFor(now: Instant, path: number): void;
  /** Makes the headers anew after {@link FlowHelper.coordinationTag} has changed. */
  renewFrames(): void;
  /** Passes an event on to all helpers. */
  notify(now: Instant, event: FlowEvent): FeedbackOutcome | undefined;
}

/** Events that helpers hear of, besides feedback on data. */
export type FlowEvent =
  /** The answer to probe `id`. */
  | {
      readonly kind: 'response';
      readonly id: number;
      readonly sample: CongestionSample | undefined;
    }
  /** An acknowledgement has brought what a probe has collected. */
  | { readonly kind: 'echo'; readonly sample: CongestionSample }
  /** The receiver's algorithm has found a window. */
  | { readonly kind: 'window'; readonly record: WindowRecord }
  /** An acknowledgement says that a switch has marked the flow's data. */
  | { readonly kind: 'mark' }
  /** A switch has said what it wants of the flow. */
  | { readonly kind: 'coordination'; readonly effect: CoordinationEffect }
  /** T was measured, or has changed. */
  | { readonly kind: 'base-rtt'; readonly T: Duration }
  /** The flow's packets take `path` from now on. */
  | { readonly kind: 'moved'; readonly path: number }
  | { readonly kind: 'ended' };

/** A probe that leaves now. */
export interface Probe {
  readonly id: number;
  /** Default: the path of the data. */
  readonly path?: number;
  /** Default: that of the path. */
  readonly sourcePort?: number;
}

/**
 * Something that runs beside the data of a flow: it asks the network, or listens to it, and may act on
 * the flow. A flow has a list of them, which `newFlowHelpers` makes from the host's configuration;
 * without any it pays nothing.
 */
export interface FlowHelper {
  /** The congestion control that the flow shall have in place of what `make` makes. */
  control?(make: CongestionControlFactory): CongestionControlFactory;
  /** The flow begins; its sender exists. */
  start?(now: Instant): void;
  /** Flags of the transport header for data and probes that leave now. */
  readonly forwardFlags?: number;
  /** DS flags of the INT headers of the flow's packets. */
  readonly coordinationTag?: number;
  /**
   * Time at which the next probe is due; a probe that is due already waits for the interface. Infinity:
   * never.
   */
  probeAt?(now: Instant): Instant;
  /** A probe that is due leaves now, in a frame of `length` bytes. */
  takeProbe?(now: Instant, length: Bytes): Probe;
  /** Time at which {@link handleWakeup} has something to do, or Infinity. */
  readonly deadline?: Instant;
  /** Does what is due by now; does nothing when woken early. */
  handleWakeup?(now: Instant): void;
  /** Feedback on what the flow has sent over its own path. */
  handleFeedback?(now: Instant, sample: CongestionSample | undefined): void;
  /** Undefined if it is nothing to this helper, or others shall hear it too. */
  handle?(now: Instant, event: FlowEvent): FeedbackOutcome | undefined;
  readonly counters?: Pick<FlowMetrics, 'probesSent' | 'probeTimeouts'>;
}
