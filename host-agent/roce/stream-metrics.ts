import type { FlowMetrics } from '../transport/outgoing-flows';
import type { FlowSender } from '../transport/sender';

/** State of what is sent, in the terms of the other transport. */
export const metricsOf = (sender: FlowSender): FlowMetrics => ({
  congestion: sender.congestionControl.metrics(),
  moves: 0,
  ...sender.counters,
});
