import type { FEEDBACK_PRESETS, FeedbackRoute } from '../../host-agent/feedback/feedback-plan';
import type { AgentOptions } from '../../host-agent/io/options/agent-options';

/** Options of `hpcc agent` and `hpcc send`, as commander collects them. */
export interface HostFlags extends Omit<
  AgentOptions,
  'linkRate' | 'retransmissionMs' | 'acknowledgeEvery' | 'feedback'
> {
  readonly linkRateBps?: number;
  readonly rtoMs: number;
  readonly ackEvery: number;
  readonly feedback?: keyof typeof FEEDBACK_PRESETS;
  readonly collect?: FeedbackRoute['collectBy'];
  readonly return?: FeedbackRoute['returnBy'];
  readonly controlAt?: FeedbackRoute['algorithmAt'];
  readonly send?: string;
  readonly bytes?: number;
  readonly time?: number;
  readonly parallel: number;
  readonly rate?: number;
  readonly dscp?: number;
  readonly admitBelow?: number;
  readonly admitWithinMs?: number;
  readonly peerMac?: string;
  readonly firstFlow?: number;
  readonly timeout: number;
  readonly interval: number;
  readonly trace?: string;
  readonly startAt?: number;
  readonly rehearse?: number;
  readonly tcp?: boolean;
  readonly tcpPorts?: readonly number[];
  readonly tcpObserve?: boolean;
  readonly probeIntervalMs?: number;
  readonly rewriteWindow?: boolean;
}
