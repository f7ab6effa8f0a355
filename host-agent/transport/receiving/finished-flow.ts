import type { Bytes, Instant } from '../../../common/units/units';
import type { FlowToken } from '../../../common/wire/hpcc/hpcc-transport';
import type { CongestionMetrics } from '../../algorithm/congestion-control';
import type { FeedbackState } from './feedback-frames';

/**
 * Rest of a flow that a host has received whole: enough to answer whoever repeats some of it.
 *
 * PERF: a host remembers tens of thousands of them, and a flow that is received takes ten times as much.
 */
export interface FinishedFlow {
  readonly generation: number;
  /** Token of its packets, the latest that was right. */
  token: FlowToken | undefined;
  readonly bytes: Bytes;
  /** Number of signed answers, which goes on. */
  readonly feedback: FeedbackState;
  /** Result of the algorithm, where it ran here. */
  readonly metrics: CongestionMetrics | undefined;
  /** Time at which its sender was heard last. */
  heardAt: Instant;
}
