import { bestOf, verdictOfBest } from '../../figures/best-of';
import { figureColumns } from '../../figures/figure-columns';
import type { FigureColumn } from '../../figures/figure-columns';
import type { Estimate } from '../../figures/figure-text';
import type { AlgorithmRow, SizeSlowdowns } from '../../result/algorithm-comparison';
import type { Result } from '../../result/result';
import { figureAxis, KILOBYTES, MICROSECONDS, PERCENT, PLAIN, timeAxis } from './axis';
import type { Chart, ChartSeries } from './chart';
import { comparisonWarnings, warningSections } from './warnings';
import { tileOf } from './tile';
import type { Fact, PageData, PageSection } from './page-data';
import { micro, rounded, thinned } from './thin';

/** One algorithm on a page: its figures, and the run of the first seed. */
export interface ComparedAlgorithm {
  readonly row: AlgorithmRow;
  readonly first: Result;
}

/** Four for each column of a picture as wide as the page. */
const POINTS = 4000;

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
    subtitle: `${rows.map(({ algorithm }) => algorithm).join(', ')}: ${seeds} ${seeds === 1 ? 'run' : 'runs'} each${bars}.`,
    command,
    ...verdictOf(rows),
    facts: tilesOf(rows),
    opening: [figuresSection(rows), ...warningSections(comparisonWarnings(rows))],
    charts: [
      ...PERCENTILES.flatMap(([key, name]) => slowdownChart(rows, key, name)),
      quantileChart(rows),
      queueChart(compared),
      fairnessChart(compared),
    ],
    closing: [slowdownSection(rows)],
  };
}

const TILES: readonly (readonly [path: string, of: (row: AlgorithmRow) => Estimate | null])[] = [
  ['bottleneck.queuePeakBytes', ({ queuePeakBytes }) => queuePeakBytes],
  ['fctUs.median', ({ fctMedianUs }) => fctMedianUs],
  ['compare.drops', ({ drops }) => drops],
];

/** Which algorithm is best by each of the three figures. */
function verdictOf(rows: readonly AlgorithmRow[]): Pick<PageData, 'verdict'> {
  const verdict = verdictOfBest(
    TILES.flatMap(([path, of]) => {
      const contenders = rows.map((row) => ({ name: row.algorithm, estimate: of(row) }));
      return bestOf(path, contenders) ?? [];
    }),
  );
  return verdict === undefined ? {} : { verdict };
}

/** Three figures of the first algorithm, each with those of the others. */
function tilesOf([first, ...others]: readonly AlgorithmRow[]): Fact[] {
  if (first === undefined) return [];
  return TILES.map(([path, of]) => {
    const valueOf = (row: AlgorithmRow) => ({ name: row.algorithm, value: of(row)?.mean });
    return tileOf(path, valueOf(first), others.map(valueOf));
  });
}

const COLUMNS: readonly FigureColumn<AlgorithmRow>[] = [
  { path: 'fctUs.median', of: ({ fctMedianUs }) => fctMedianUs },
  { path: 'fctUs.max', of: ({ fctMaxUs }) => fctMaxUs },
  { path: 'compare.queueP50Bytes', of: ({ queueP50Bytes }) => queueP50Bytes },
  { path: 'compare.queueP95Bytes', of: ({ queueP95Bytes }) => queueP95Bytes },
  { path: 'bottleneck.queueP99Bytes', of: ({ queueP99Bytes }) => queueP99Bytes },
  { path: 'bottleneck.queuePeakBytes', of: ({ queuePeakBytes }) => queuePeakBytes },
  { path: 'compare.goodputGbps', of: ({ goodputGbps }) => goodputGbps },
  { path: 'bottleneck.utilization', of: ({ utilization }) => utilization },
  { path: 'jain', of: ({ jain }) => jain },
  { path: 'lossless.pauses', of: ({ pauses }) => pauses, isOptional: true },
  { path: 'lossless.pausedUs', of: ({ pausedUs }) => pausedUs, isOptional: true },
  { path: 'allFlows.retransmittedSegments', of: ({ retransmitted }) => retransmitted },
  { path: 'compare.drops', of: ({ drops }) => drops },
  { path: 'compare.lostOnLinks', of: (row) => row.lostOnLinks, isOptional: true },
  { path: 'allFlows.unfinished', of: ({ unfinished }) => unfinished },
];

/** Heads, and one line per algorithm. */
export function figureRows(rows: readonly AlgorithmRow[]): string[][] {
  const [heads = [], ...cells] = figureColumns(rows, COLUMNS);
  const lines = rows.map(({ algorithm }, i) => [algorithm, ...(cells[i] ?? [])]);
  return [['algorithm', ...heads], ...lines];
}

/** One algorithm's slowdowns of flows of one size. */
interface SizeRow {
  readonly size: string;
  readonly algorithm: string;
  readonly slowdowns: SizeSlowdowns;
}

const SIZE_COLUMNS: readonly FigureColumn<SizeRow>[] = [
  { path: 'compare.sizeFlows', of: ({ slowdowns }) => slowdowns.flows },
  { path: 'allFlows.slowdown.p50', of: ({ slowdowns }) => slowdowns.p50 },
  { path: 'allFlows.slowdown.p95', of: ({ slowdowns }) => slowdowns.p95 },
  { path: 'allFlows.slowdown.p99', of: ({ slowdowns }) => slowdowns.p99 },
];

/** Heads, and one line per algorithm and size of flows. */
export function slowdownRows(rows: readonly AlgorithmRow[]): string[][] {
  const lines = sizesOf(rows).flatMap((size) =>
    rows.flatMap(({ algorithm, slowdowns: all }): SizeRow[] => {
      const slowdowns = all.find((each) => each.size === size);
      return slowdowns === undefined ? [] : [{ size, algorithm, slowdowns }];
    }),
  );
  const [heads = [], ...cells] = figureColumns(lines, SIZE_COLUMNS);
  const texts = lines.map(({ size, algorithm }, i) => [size, algorithm, ...(cells[i] ?? [])]);
  return [['flow size', 'algorithm', ...heads], ...texts];
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

/** Classes of sizes from which on a line guides the eye. */
const LINE_CLASSES_MIN = 3;

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
      // A line between two classes would look like sizes in between.
      ...(sizes.length < LINE_CLASSES_MIN && { kind: 'points' as const }),
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
      y: figureAxis('flows.*.slowdown', PLAIN, { min: 1, isLogarithmic: true }),
      series,
    },
  ];
}

function quantileChart(rows: readonly AlgorithmRow[]): Chart {
  return {
    id: 'queue-distribution',
    title: 'Distribution of the queue',
    caption: 'Share of the time for which the bottleneck’s queue was at most so long.',
    x: figureAxis('queueTimeline.bytes.*', KILOBYTES, { min: 0 }),
    y: figureAxis('compare.queueShare', PERCENT, { min: 0, max: 100 }),
    series: rows.map(({ algorithm, queueQuantiles }) => ({
      name: algorithm,
      kind: 'step',
      x: queueQuantiles.map((bytes) => rounded(bytes / KILOBYTES.factor)),
      y: queueQuantiles.map((_, i) => i),
    })),
  };
}

function queueChart(compared: readonly ComparedAlgorithm[]): Chart {
  return {
    id: 'queue',
    title: 'Queue of the bottleneck',
    caption: 'Of the run with the first seed.',
    x: timeAxis(MICROSECONDS, { min: 0 }),
    y: figureAxis('queueTimeline.bytes.*', KILOBYTES, { min: 0 }),
    series: compared.map(({ row, first }) => {
      const { startUs, intervalUs, bytes } = first.queueTimeline;
      const y = bytes.map((value) => value / KILOBYTES.factor);
      const x = y.map((_, i) => micro(startUs + i * intervalUs));
      return { name: row.algorithm, ...thinned({ x, y }, POINTS) };
    }),
  };
}

function fairnessChart(compared: readonly ComparedAlgorithm[]): Chart {
  return {
    id: 'fairness',
    title: 'Fairness',
    caption: 'Jain’s index among the active flows, of the run with the first seed.',
    x: timeAxis(MICROSECONDS, { min: 0 }),
    y: figureAxis('jainTimeline.*.jain', PLAIN, { min: 0, max: 1 }),
    series: compared.map(({ row, first }) => ({
      name: row.algorithm,
      kind: 'step',
      ...fairnessSteps(first),
    })),
  };
}

/** Jain's index of each interval as a step; a gap where flows were not active together. */
function fairnessSteps({ jainTimeline }: Result): Pick<ChartSeries, 'x' | 'y'> {
  const points = jainTimeline.flatMap(({ startUs, endUs, jain }, i): [number, number | null][] => {
    const next = jainTimeline[i + 1];
    if (next === undefined)
      return [
        [startUs, jain],
        [endUs, jain],
      ];
    return next.startUs - endUs <= 1e-6
      ? [[startUs, jain]]
      : [
          [startUs, jain],
          [endUs, jain],
          [(endUs + next.startUs) / 2, null],
        ];
  });
  return { x: points.map(([us]) => us), y: points.map(([, jain]) => jain) };
}
