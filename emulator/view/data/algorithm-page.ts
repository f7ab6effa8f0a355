import type { AlgorithmRow, Estimate, SizeSlowdowns } from '../../result/algorithm-comparison';
import type { Result } from '../../result/result';
import type { Chart, ChartSeries } from './chart';
import type { PageData, PageSection } from './page-data';
import { rounded, thinned } from './thin';

/** One algorithm on a page: its figures, and the run of the first seed. */
export interface ComparedAlgorithm {
  readonly row: AlgorithmRow;
  readonly first: Result;
}

const POINTS = 500;
const KILO = 1000;

const PERCENTILES = [
  ['p50', 'Median'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
] as const;

/** The same workload under several algorithms, laid over each other. */
export function algorithmPage(
  compared: readonly ComparedAlgorithm[],
  { title, command }: Pick<PageData, 'title' | 'command'>,
): PageData {
  const rows = compared.map(({ row }) => row);
  const seeds = rows[0]?.seeds ?? 0;
  const bars = seeds > 1 ? '; bars are 95 % confidence intervals' : '';
  return {
    title,
    subtitle: `${rows.map(({ algorithm }) => algorithm).join(', ')}: ${seeds} runs each${bars}.`,
    command,
    facts: [],
    opening: [figuresSection(rows)],
    charts: [
      ...PERCENTILES.flatMap(([key, name]) => slowdownChart(rows, key, name)),
      quantileChart(rows),
      queueChart(compared),
      fairnessChart(compared),
    ],
    closing: [slowdownSection(rows)],
  };
}

/** A figure with its interval, as tables have it. */
export function estimateText(estimate: Estimate | null, digits: number): string {
  if (estimate === null) return '-';
  const { mean, halfWidth } = estimate;
  const spread = halfWidth === null ? '' : ` ±${halfWidth.toFixed(digits)}`;
  return `${mean.toFixed(digits)}${spread}`;
}

/** Heads, and one line per algorithm. */
export function figureRows(rows: readonly AlgorithmRow[]): string[][] {
  const kilo = (estimate: Estimate): Estimate => ({
    mean: estimate.mean / KILO,
    halfWidth: estimate.halfWidth === null ? null : estimate.halfWidth / KILO,
  });
  const columns: readonly (readonly [string, (row: AlgorithmRow) => string])[] = [
    ['algorithm', (row) => row.algorithm],
    ['FCT median us', (row) => estimateText(row.fctMedianUs, 1)],
    ['FCT max us', (row) => estimateText(row.fctMaxUs, 1)],
    ['queue p50 KB', (row) => estimateText(kilo(row.queueP50Bytes), 1)],
    ['p95 KB', (row) => estimateText(kilo(row.queueP95Bytes), 1)],
    ['p99 KB', (row) => estimateText(kilo(row.queueP99Bytes), 1)],
    ['peak KB', (row) => estimateText(kilo(row.queuePeakBytes), 1)],
    ['goodput Gb/s', (row) => estimateText(row.goodputGbps, 1)],
    ['Jain', (row) => estimateText(row.jain, 3)],
    ['pauses', (row) => estimateText(row.pauses, 0)],
    ['paused us', (row) => estimateText(row.pausedUs, 0)],
    ['retransmitted', (row) => estimateText(row.retransmitted, 0)],
    ['drops', (row) => estimateText(row.drops, 0)],
    ['unfinished', (row) => estimateText(row.unfinished, 0)],
  ];
  return [
    columns.map(([head]) => head),
    ...rows.map((row) => columns.map(([, cell]) => cell(row))),
  ];
}

/** Heads, and one line per algorithm and size of flows. */
export function slowdownRows(rows: readonly AlgorithmRow[]): string[][] {
  const lines = rows.flatMap(({ algorithm, slowdowns }) =>
    slowdowns.map(({ size, flows, p50, p95, p99 }) => [
      size,
      algorithm,
      String(flows),
      ...[p50, p95, p99].map((estimate) => estimateText(estimate, 2)),
    ]),
  );
  const sizes = sizesOf(rows);
  lines.sort(([a = ''], [b = '']) => sizes.indexOf(a) - sizes.indexOf(b));
  return [['flow size', 'algorithm', 'flows', 'slowdown p50', 'p95', 'p99'], ...lines];
}

const figuresSection = (rows: readonly AlgorithmRow[]): PageSection => ({
  title: 'Figures',
  rows: figureRows(rows),
});

const slowdownSection = (rows: readonly AlgorithmRow[]): PageSection => ({
  title: 'FCT slowdown by flow size',
  rows: slowdownRows(rows),
});

/** Sizes that any algorithm has, in ascending order. */
function sizesOf(rows: readonly AlgorithmRow[]): string[] {
  const longest = rows.reduce<readonly SizeSlowdowns[]>(
    (most, { slowdowns }) => (slowdowns.length > most.length ? slowdowns : most),
    [],
  );
  return longest.map(({ size }) => size);
}

function slowdownChart(
  rows: readonly AlgorithmRow[],
  key: 'p50' | 'p95' | 'p99',
  name: string,
): Chart[] {
  const sizes = sizesOf(rows);
  if (sizes.length === 0) return [];
  const series = rows.map(({ algorithm, slowdowns }): ChartSeries => {
    const at = sizes.map((size) => slowdowns.find((each) => each.size === size)?.[key]);
    return {
      name: algorithm,
      x: sizes.map((_, i) => i),
      y: at.map((estimate) => estimate?.mean ?? null),
      halfWidths: at.map((estimate) => estimate?.halfWidth ?? null),
    };
  });
  return [
    {
      id: `slowdown-${key}`,
      title: `${name} of FCT slowdown`,
      caption: 'Completion time over that of the same flow alone on idle links, by flow size.',
      x: { label: 'flow size', categories: sizes },
      y: { label: 'slowdown', min: 1, isLogarithmic: true },
      series,
    },
  ];
}

function quantileChart(rows: readonly AlgorithmRow[]): Chart {
  return {
    id: 'queue-distribution',
    title: 'Distribution of the queue',
    caption: 'Share of the time for which the bottleneck’s queue was at most so long.',
    x: { label: 'queue (KB)', min: 0 },
    y: { label: 'share of time', min: 0, max: 1 },
    series: rows.map(({ algorithm, queueQuantiles }) => ({
      name: algorithm,
      kind: 'step',
      x: queueQuantiles.map((bytes) => rounded(bytes / KILO)),
      y: queueQuantiles.map((_, i) => i / 100),
    })),
  };
}

function queueChart(compared: readonly ComparedAlgorithm[]): Chart {
  return {
    id: 'queue',
    title: 'Queue of the bottleneck',
    caption: 'Of the run with the first seed.',
    x: { label: 'time (us)', min: 0 },
    y: { label: 'queue (KB)', min: 0 },
    series: compared.map(({ row, first }) => {
      const { startUs, intervalUs, bytes } = first.queueTimeline;
      const y = bytes.map((value) => value / KILO);
      const x = y.map((_, i) => rounded(startUs + i * intervalUs));
      return { name: row.algorithm, ...thinned({ x, y }, POINTS) };
    }),
  };
}

function fairnessChart(compared: readonly ComparedAlgorithm[]): Chart {
  return {
    id: 'fairness',
    title: 'Fairness',
    caption: 'Jain’s index among the active flows, of the run with the first seed.',
    x: { label: 'time (us)', min: 0 },
    y: { label: 'Jain’s index', min: 0, max: 1 },
    series: compared.map(({ row, first }) => ({
      name: row.algorithm,
      kind: 'step',
      x: first.jainTimeline.map(({ startUs }) => startUs),
      y: first.jainTimeline.map(({ jain }) => jain),
    })),
  };
}
