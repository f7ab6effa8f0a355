import { lostOnLinks } from './losses';
import type { Result } from './result';
import { flowSumsOf } from './flow-totals';
import { assert } from '../../common/assert';

/** Figures of one variant in a comparison. */
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
  /** Time from the last join until Jain's index of an interval was 0.95; null: nobody joined, or never. */
  readonly fairAfterUs: number | null;
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
  /** Packets that links lost. */
  readonly lostOnLinks: number;
  readonly unfinished: number;
  readonly violations: number;
}

/** Cell of the counter of hpcc-feedback in which answers are counted. */
const RESPONSES_SENT = 'egress.feedback.outcomes[2]';
const JOIN_SETTLES_US = 500;

export function comparisonRow(variant: string, result: Result): ComparisonRow {
  const { bottleneck, traffic } = result;
  const rttUs = Number(result.parameters['baseRttNs']) / 1000;
  const { activeUs, flows, finished } = flowSumsOf(result);
  return {
    variant,
    queuePeakBytes: bottleneck.queuePeakBytes,
    queueP99Bytes: bottleneck.queueP99Bytes,
    drainedAtUs: bottleneck.drainedAtUs,
    utilization: bottleneck.utilization,
    jain: result.jain,
    jainAfterJoins: jainAfterJoins(result),
    fairAfterUs: fairAfterUs(result),
    fctUs: result.fctUs,
    feedbackPackets: traffic.feedback.packets,
    feedbackBytes: traffic.feedback.bytes,
    probeBytes: traffic.probes.bytes,
    feedbackPerRtt: traffic.feedback.packets / (activeUs / rttUs),
    switchResponses: switchResponses(result),
    refused: refusals(result),
    lostOnLinks: lostOnLinks(result),
    unfinished: flows - finished,
    violations: faultsOf(result),
  };
}

/** Broken invariants, and one fault more each where flows were to finish or to be controlled and were not. */
const faultsOf = ({ violations, unfinished, uncontrolled }: Result): number =>
  violations.length + [unfinished, uncontrolled].filter((fault) => fault !== undefined).length;

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
 * Jain's index of the last interval that ends within half a millisecond of each join, and before
 * the next one. Flows that start together with the first one have not joined.
 */
function jainAfterJoins({ flows, flowTotals, jainTimeline }: Result): number | null {
  // Among the flows of a stream, which have no list, there is always one that joins.
  if (flowTotals !== undefined) return null;
  const starts = [...new Set(flows.map(({ startUs }) => startUs))].sort((a, b) => a - b);
  const joins = starts.slice(1);
  const found = joins.flatMap((join, i) => {
    const end = Math.min(join + JOIN_SETTLES_US, joins[i + 1] ?? Infinity);
    const last = jainTimeline.findLast(({ startUs, endUs }) => startUs >= join && endUs <= end);
    return last === undefined ? [] : [last.jain];
  });
  return found.length === 0 ? null : Math.min(...found);
}

const FAIR_JAIN = 0.95;

function fairAfterUs(result: Result): number | null {
  const { jainTimeline } = result;
  const { firstStartUs, lastStartUs: join } = flowSumsOf(result);
  if (firstStartUs >= join) return null;
  const fair = jainTimeline.find(({ startUs, jain }) => startUs >= join && jain >= FAIR_JAIN);
  return fair === undefined ? null : fair.endUs - join;
}

const sum = (values: readonly number[]): number => values.reduce((total, n) => total + n, 0);

/** Figures of one run under coordination; means where several seeds were run. */
export interface CoordinationRow {
  readonly runs: number;
  /** Completion time of the last workload; null: one was never complete, in some run. */
  readonly completionUs: number | null;
  /** Payload delivered in the whole run, over its duration. */
  readonly throughputGbps: number;
  readonly fctMedianUs: number;
  readonly fctMaxUs: number;
  /** Peak of the longest queue. */
  readonly queuePeakBytes: number;
  readonly queueP99Bytes: number;
  readonly packets: number;
  readonly reordered: number;
  readonly retransmitted: number;
  readonly reroutes: number;
  readonly taggedReroutes: number;
  readonly reductionsBelowFair: number;
  readonly controlRequired: number;
  readonly controlReleased: number;
  readonly reroutingRequired: number;
  readonly tagged: number;
  readonly expired: number;
  readonly unfinished: number;
  readonly violations: number;
}

export function coordinationRow(result: Result): CoordinationRow {
  const { coordination, collectives = [], bottleneck, durationUs, fctUs } = result;
  const { flows, finished, deliveredBytes, retransmittedSegments } = flowSumsOf(result);
  assert(coordination !== undefined, 'only runs under coordination are compared by it');
  const ends = collectives.map(({ startUs, completionUs }) =>
    completionUs === null ? null : startUs + completionUs,
  );
  const isComplete = ends.every((end) => end !== null);
  const { sent } = coordination;
  return {
    runs: 1,
    completionUs: isComplete && ends.length > 0 ? Math.max(...ends) : null,
    throughputGbps: (deliveredBytes * 8) / durationUs / 1000,
    fctMedianUs: fctUs?.median ?? 0,
    fctMaxUs: fctUs?.max ?? 0,
    queuePeakBytes: bottleneck.queuePeakBytes,
    queueP99Bytes: bottleneck.queueP99Bytes,
    packets: coordination.packets,
    reordered: coordination.reordered,
    retransmitted: retransmittedSegments,
    reroutes: coordination.reroutes + coordination.sourceReroutes,
    taggedReroutes: coordination.taggedReroutes,
    reductionsBelowFair: coordination.reductionsBelowFair,
    controlRequired: sent.controlRequired,
    controlReleased: sent.controlReleased,
    reroutingRequired: sent.reroutingRequired,
    tagged: coordination.tagged,
    expired: coordination.expired,
    unfinished: flows - finished,
    violations: faultsOf(result),
  };
}

/** Means over runs of equal weight; what is missing in one is missing in the mean. */
export function meanRow(rows: readonly CoordinationRow[]): CoordinationRow {
  const [first] = rows;
  assert(first !== undefined, 'a mean needs a run');
  const means = Object.keys(first).map((name) => {
    const values = rows.map((row) => row[name as keyof CoordinationRow]);
    if (values.some((value) => value === null)) return [name, null];
    return [name, values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / rows.length];
  });
  return { ...(Object.fromEntries(means) as CoordinationRow), runs: rows.length };
}
