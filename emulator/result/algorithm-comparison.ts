import { droppedBySwitches, lostOnLinks } from './losses';
import { assert } from '../../common/assert';
import { percentileOf } from '../../common/statistics/statistics';
import { SIZE_CLASSES, flowSumsOf } from './flow-totals';
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
  /** Packets that links lost. */
  readonly lostOnLinks: Estimate;
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

/** Names of the classes of flow sizes. */
const SIZES: readonly string[] = ['up to 10 KB', '10 to 100 KB', '100 KB to 1 MB', 'over 1 MB'];

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
    retransmitted: over((result) => flowSumsOf(result).retransmittedSegments),
    drops: over(droppedBySwitches),
    lostOnLinks: over(lostOnLinks),
    unfinished: over((result) => flowSumsOf(result).flows - flowSumsOf(result).finished),
    violations: sum(results.map(({ violations }) => violations.length)),
    queueQuantiles: Array.from({ length: 101 }, (_, i) => queueAt(i / 100).mean),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function goodput(result: Result): number {
  const { firstStartUs, lastEndUs, deliveredBytes } = flowSumsOf(result);
  const lasted = lastEndUs - firstStartUs;
  return lasted > 0 ? (deliveredBytes * 8) / (lasted * 1000) : 0;
}

/** Slowdowns of the flows of a class of sizes in one run; undefined if it has none. */
interface ClassSlowdowns {
  readonly flows: number;
  readonly at: (share: 0.5 | 0.95 | 0.99) => number;
}

function classOf(
  { flows, flowTotals }: Result,
  { from, to }: { readonly from: number; readonly to: number },
): ClassSlowdowns | undefined {
  if (flowTotals !== undefined) {
    const found = flowTotals.classes.find(({ upToBytes }) => (upToBytes ?? Infinity) === to);
    if (found === undefined) return undefined;
    const { p50, p95, p99 } = found.slowdown;
    return { flows: found.flows, at: (share) => ({ 0.5: p50, 0.95: p95, 0.99: p99 })[share] };
  }
  const values = flows.flatMap(({ bytes, slowdown }) =>
    slowdown === null || bytes <= from || bytes > to ? [] : [slowdown],
  );
  if (values.length === 0) return undefined;
  return { flows: values.length, at: (share) => percentileOf(values, share) };
}

function slowdownsOf(results: readonly Result[]): SizeSlowdowns[] {
  return SIZES.flatMap((size, i) => {
    const [from, to] = [SIZE_CLASSES[i - 1] ?? 0, SIZE_CLASSES[i] ?? Infinity];
    const runs = results.flatMap((result) => classOf(result, { from, to }) ?? []);
    if (runs.length < results.length) return [];
    const at = (share: 0.5 | 0.95 | 0.99): Estimate => estimateOf(runs.map((run) => run.at(share)));
    const flows = sum(runs.map((run) => run.flows));
    return [{ size, flows, p50: at(0.5), p95: at(0.95), p99: at(0.99) }];
  });
}
