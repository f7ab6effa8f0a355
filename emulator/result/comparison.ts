import type { Result } from './result';
import { distributionOf } from '../../common/statistics/statistics';

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
  /** Lowest of Jain's index half a millisecond after flows joined others; null: none did. */
  readonly jainAfterJoins: number | null;
  readonly fctUs: { readonly min: number; readonly median: number; readonly max: number } | null;
  readonly feedbackPackets: number;
  readonly feedbackBytes: number;
  readonly probeBytes: number;
  /** Feedback packets per flow and base RTT that the flow lasted. */
  readonly feedbackPerRtt: number;
  /** Answers of switches themselves. */
  readonly switchResponses: number;
  /** Feedback packets and telemetry that hosts refused. */
  readonly refused: number;
  readonly unfinished: number;
  readonly violations: number;
}

/** Cell of the counter of hpcc-feedback in which answers are counted. */
const RESPONSES_SENT = 'egress.feedback.outcomes[2]';
const JOIN_SETTLES_US = 500;

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
    jainAfterJoins: jainAfterJoins(result),
    fctUs: distributionOf(flows.flatMap(({ fctUs }) => (fctUs === null ? [] : [fctUs]))),
    feedbackPackets: traffic.feedback.packets,
    feedbackBytes: traffic.feedback.bytes,
    probeBytes: traffic.probes.bytes,
    feedbackPerRtt: traffic.feedback.packets / (active / rttUs),
    switchResponses: switchResponses(result),
    refused: refusals(result),
    unfinished: flows.filter(({ fctUs }) => fctUs === null).length,
    violations: result.violations.length,
  };
}

/** Answers that switches have sent by themselves. */
export function switchResponses({ counters }: Result): number {
  const cells = Object.entries(counters.programs ?? {});
  return sum(cells.flatMap(([name, n]) => (name.endsWith(RESPONSES_SENT) ? [n] : [])));
}

function refusals({ counters }: Result): number {
  const { hostRejections, telemetryRejections = {} } = counters;
  return sum([...Object.values(hostRejections), ...Object.values(telemetryRejections)]);
}

/**
 * The last interval that ends within half a millisecond of each join, and before the next one.
 * Flows that start together with the first one have joined nobody.
 */
function jainAfterJoins({ flows, jainTimeline }: Result): number | null {
  const starts = [...new Set(flows.map(({ startUs }) => startUs))].sort((a, b) => a - b);
  const joins = starts.slice(1);
  const found = joins.flatMap((join, i) => {
    const end = Math.min(join + JOIN_SETTLES_US, joins[i + 1] ?? Infinity);
    const last = jainTimeline.findLast(({ startUs, endUs }) => startUs >= join && endUs <= end);
    return last === undefined ? [] : [last.jain];
  });
  return found.length === 0 ? null : Math.min(...found);
}

const sum = (values: readonly number[]): number => values.reduce((total, n) => total + n, 0);
