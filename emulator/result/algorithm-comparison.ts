import { assert } from '../../common/assert';
import { percentileOf } from '../../common/statistics/statistics';
import type { Result } from './result';

/** A mean over runs with different seeds. */
export interface Estimate {
  readonly mean: number;
  /** Half of the 95 % confidence interval (Student's t); null for one run. */
  readonly halfWidth: number | null;
}

/** FCT over ideal FCT of the flows of similar size. */
export interface SizeSlowdowns {
  readonly size: string;
  /** Finished ones, of all runs. */
  readonly flows: number;
  readonly p50: Estimate;
  readonly p95: Estimate;
  readonly p99: Estimate;
}

/**
 * Figures of one algorithm for a workload, over some seeds; null where a run has no such figure.
 */
export interface AlgorithmRow {
  readonly algorithm: string;
  readonly seeds: number;
  /** Sizes without a finished flow in some run are left out. */
  readonly slowdowns: readonly SizeSlowdowns[];
  readonly fctMedianUs: Estimate | null;
  readonly fctMaxUs: Estimate | null;
  /** Median of the samples of the bottleneck's queue. */
  readonly queueP50Bytes: Estimate;
  readonly queueP95Bytes: Estimate;
  readonly queueP99Bytes: Estimate;
  readonly queuePeakBytes: Estimate;
  /** Payload of all flows over the time until the last one was complete, in Gb/s. */
  readonly goodputGbps: Estimate;
  /** Wire bytes over capacity of the bottleneck while it was in use. */
  readonly utilization: Estimate;
  readonly jain: Estimate | null;
  /** Pause requests of switches, and the time for which links stood still. */
  readonly pauses: Estimate;
  readonly pausedUs: Estimate;
  readonly retransmitted: Estimate;
  readonly drops: Estimate;
  readonly unfinished: Estimate;
  readonly violations: number;
  /**
   * Quantiles of the bottleneck's queue: bytes that it does not exceed for 0, 1, … 100 % of the
   * time.
   */
  readonly queueQuantiles: readonly number[];
}

/** Two-sided 95 % quantiles of Student's t by degrees of freedom, from 1. */
const STUDENT_T = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
];
const NORMAL = 1.96;

/** Classes of flow sizes by their upper ends, as the literature uses them. */
const SIZES: readonly (readonly [string, number])[] = [
  ['up to 10 KB', 10_000],
  ['10 to 100 KB', 100_000],
  ['100 KB to 1 MB', 1_000_000],
  ['over 1 MB', Infinity],
];

/** Mean and confidence interval of one figure over runs. */
export function estimateOf(values: readonly number[]): Estimate {
  const n = values.length;
  assert(n > 0, 'a mean needs a run');
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { mean, halfWidth: null };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { mean, halfWidth: (STUDENT_T[n - 2] ?? NORMAL) * Math.sqrt(variance / n) };
}

/** Sums one algorithm's runs up, each with another seed. */
export function algorithmRow(algorithm: string, results: readonly Result[]): AlgorithmRow {
  const over = (of: (result: Result) => number): Estimate => estimateOf(results.map(of));
  const ifAll = (of: (result: Result) => number | null | undefined): Estimate | null => {
    const values = results.flatMap((result) => of(result) ?? []);
    return values.length < results.length ? null : estimateOf(values);
  };
  const queues = results.map(({ queueTimeline }) => queueTimeline.bytes);
  const queueAt = (share: number): Estimate =>
    estimateOf(queues.map((bytes) => percentileOf(bytes, share)));
  return {
    algorithm,
    seeds: results.length,
    slowdowns: slowdownsOf(results),
    fctMedianUs: ifAll(({ fctUs }) => fctUs?.median),
    fctMaxUs: ifAll(({ fctUs }) => fctUs?.max),
    queueP50Bytes: queueAt(0.5),
    queueP95Bytes: queueAt(0.95),
    queueP99Bytes: queueAt(0.99),
    queuePeakBytes: over(({ bottleneck }) => bottleneck.queuePeakBytes),
    goodputGbps: over(goodput),
    utilization: over(({ bottleneck }) => bottleneck.utilization),
    jain: ifAll(({ jain }) => jain),
    pauses: over(({ lossless }) => lossless?.pauses ?? 0),
    pausedUs: over(({ lossless }) => lossless?.pausedUs ?? 0),
    retransmitted: over(({ flows }) => sum(flows.map((flow) => flow.retransmittedSegments))),
    drops: over(({ counters }) => sum(Object.values(counters.drops))),
    unfinished: over(({ flows }) => flows.filter(({ fctUs }) => fctUs === null).length),
    violations: sum(results.map(({ violations }) => violations.length)),
    queueQuantiles: Array.from({ length: 101 }, (_, i) => queueAt(i / 100).mean),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function goodput({ flows, durationUs }: Result): number {
  const ends = flows.map(({ startUs, fctUs }) => (fctUs === null ? durationUs : startUs + fctUs));
  const start = flows.reduce((first, { startUs }) => Math.min(first, startUs), Infinity);
  const lasted = ends.reduce((last, end) => Math.max(last, end), 0) - start;
  const bytes = sum(flows.map(({ deliveredBytes }) => deliveredBytes));
  return lasted > 0 ? (bytes * 8) / (lasted * 1000) : 0;
}

function slowdownsOf(results: readonly Result[]): SizeSlowdowns[] {
  return SIZES.flatMap(([size, to], i) => {
    const from = SIZES[i - 1]?.[1] ?? 0;
    const runs = results.map(({ flows }) =>
      flows.flatMap(({ bytes, slowdown }) =>
        slowdown === null || bytes <= from || bytes > to ? [] : [slowdown],
      ),
    );
    if (runs.some((run) => run.length === 0)) return [];
    const at = (share: number): Estimate => estimateOf(runs.map((run) => percentileOf(run, share)));
    const flows = sum(runs.map((run) => run.length));
    return [{ size, flows, p50: at(0.5), p95: at(0.95), p99: at(0.99) }];
  });
}
