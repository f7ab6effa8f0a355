import type { Result } from './result';
import { distributionOf } from './statistics';

/** What matters of one variant in a comparison. */
export interface ComparisonRow {
  readonly variant: string;
  readonly queuePeakBytes: number;
  readonly queueP99Bytes: number;
  /** Null: the queue never fell to 5 KB. */
  readonly drainedAtUs: number | null;
  /** Wire bytes over capacity of the bottleneck, while it was in use. */
  readonly utilization: number;
  /** Lowest of Jain's index over the intervals in which several flows were active. */
  readonly jain: number | null;
  readonly fctUs: { readonly min: number; readonly median: number; readonly max: number } | null;
  readonly feedbackPackets: number;
  readonly feedbackBytes: number;
  readonly probeBytes: number;
  /** Feedback packets per flow and base RTT that the flow lasted. */
  readonly feedbackPerRtt: number;
  readonly violations: number;
}

export function comparisonRow(variant: string, result: Result): ComparisonRow {
  const { bottleneck, traffic, flows } = result;
  const rttUs = Number(result.parameters['baseRttNs']) / 1000;
  const active = flows.reduce((sum, { fctUs }) => sum + (fctUs ?? result.durationUs), 0);
  return {
    variant,
    queuePeakBytes: bottleneck.queuePeakBytes,
    queueP99Bytes: bottleneck.queueP99Bytes,
    drainedAtUs: bottleneck.drainedAtUs,
    utilization: bottleneck.utilization,
    jain: result.jain,
    fctUs: distributionOf(flows.flatMap(({ fctUs }) => (fctUs === null ? [] : [fctUs]))),
    feedbackPackets: traffic.feedback.packets,
    feedbackBytes: traffic.feedback.bytes,
    probeBytes: traffic.probes.bytes,
    feedbackPerRtt: traffic.feedback.packets / (active / rttUs),
    violations: result.violations.length,
  };
}
