import type { EChartsOption } from 'echarts';
import { escape, htmlSection, htmlTable, renderPage } from '../report/page';
import type { Chart } from '../report/page';
import { axesOf } from './study-document';
import type { StudyDocument } from './study-document';
import { shortNumber } from './number-text';
import { figureNames, figureRows, pointRows } from './table';
import type { PointRow, StudyCell } from './table';

export interface PageFacts {
  /** What made the page. */
  readonly command: string;
  readonly version: string;
  /** The table to download. */
  readonly csv: string;
  /** Text of the minified ECharts library. */
  readonly echarts: string;
}

/** One self-contained page of a study: small multiples over its axes, failures, a table. */
export function studyPage(
  study: StudyDocument,
  state: readonly StudyCell[],
  { command, version, csv, echarts }: PageFacts,
): string {
  const rows = figureRows(state, study.figures);
  const points = pointRows(rows);
  const names = figureNames(rows);
  const title = study.title ?? study.name;
  const counts = `${rows.length} of ${state.length} cells`;
  return renderPage(
    {
      title,
      subtitle: `${counts}; means over seeds, bars are 95 % confidence intervals. ${version}.`,
      opening: [failureSection(state)],
      charts: chartsOf(study, points, names),
      closing: [
        htmlSection('Figures', `${downloadLink(csv)}${pointTable(study, points, names)}`),
        htmlSection('Made by', `<pre>${escape(command)}</pre>`),
      ],
    },
    echarts,
  );
}

/** Axis paths in the order of a row's labels. */
const axisPaths = ({ axes }: StudyDocument): string[] =>
  axes.flatMap(axesOf).map(({ path }) => path);

interface ChartPlan {
  readonly figure: string;
  readonly x: number;
  /** Axis whose values are lines, or -1. */
  readonly lines: number;
  readonly isLogarithmic: boolean;
}

/** Plots as the study asks for them, or one per figure. */
function plansOf(study: StudyDocument, names: readonly string[]): ChartPlan[] {
  const paths = axisPaths(study);
  const asked =
    study.plots.length > 0
      ? study.plots
      : study.figures.map((figure) => ({
          figure,
          x: undefined,
          lines: undefined,
          logarithmic: false,
        }));
  return asked.flatMap(({ figure, x, lines, logarithmic }) => {
    const across = x === undefined ? 0 : paths.indexOf(x);
    const other = paths.findIndex((_, i) => i !== across);
    const plan = { x: across, lines: lines === undefined ? other : paths.indexOf(lines) };
    return names
      .filter((name) => isOf(name, figure))
      .map((name) => ({ figure: name, ...plan, isLogarithmic: logarithmic }));
  });
}

/** Whether a name with indexes is one of a path with `*`. */
function isOf(name: string, figure: string): boolean {
  const keys = figure.split('.');
  const parts = name.split('.');
  return parts.length === keys.length && keys.every((key, i) => key === '*' || key === parts[i]);
}

/** The axes that are neither bottom nor lines make one chart per value: small multiples. */
function chartsOf(
  study: StudyDocument,
  points: readonly PointRow[],
  names: readonly string[],
): Chart[] {
  const paths = axisPaths(study);
  if (paths.length === 0) return [];
  return plansOf(study, names).flatMap((plan, i) => {
    const facets = grouped(points, ({ labels }) =>
      labels
        .map((label, axis) =>
          axis === plan.x || axis === plan.lines ? '' : `${paths[axis]} = ${label}`,
        )
        .filter((text) => text !== '')
        .join(', '),
    );
    return [...facets].map(([facet, rows], j) => ({
      id: `chart${i}-${j}`,
      title: facet === '' ? plan.figure : `${plan.figure}: ${facet}`,
      caption: `Over ${paths[plan.x] ?? ''}${plan.lines < 0 ? '' : `, a line per ${paths[plan.lines] ?? ''}`}.`,
      heightPx: 320,
      option: chartOption(plan, rows, paths),
    }));
  });
}

function grouped<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return groups;
}

function chartOption(plan: ChartPlan, rows: readonly PointRow[], paths: string[]): EChartsOption {
  const isNumeric = rows.every(({ values }) => typeof values[plan.x] === 'number');
  const categories = [...new Set(rows.map(({ labels }) => labels[plan.x] ?? ''))];
  const lines = grouped(rows, ({ labels }) =>
    plan.lines < 0 ? plan.figure : (labels[plan.lines] ?? ''),
  );
  const place = (row: PointRow): number | string =>
    isNumeric ? (row.values[plan.x] as number) : (row.labels[plan.x] ?? '');
  const named = { name: paths[plan.x] ?? '', nameLocation: 'middle' as const, nameGap: 28 };
  return {
    animation: false,
    tooltip: { trigger: 'axis' },
    legend: { type: 'scroll' },
    grid: { left: 70, right: 24, top: 40, bottom: 48 },
    xAxis: isNumeric
      ? { type: 'value', scale: true, ...named }
      : { type: 'category', data: categories, ...named },
    yAxis: { type: plan.isLogarithmic ? 'log' : 'value', scale: true },
    series: [...lines].flatMap(([name, line]) => seriesOf(name, line, plan, place)),
  };
}

/** The means as a line, and the intervals as thin lines of the same colour. */
function seriesOf(
  name: string,
  rows: readonly PointRow[],
  { figure }: ChartPlan,
  place: (row: PointRow) => number | string,
): object[] {
  const found = rows.flatMap((row) => {
    const estimate = row.estimates.get(figure);
    return estimate === undefined ? [] : [{ at: place(row), ...estimate }];
  });
  const intervals = found.flatMap(({ at, mean, halfWidth }) =>
    halfWidth === null
      ? []
      : [[{ coord: [at, mean - halfWidth] }, { coord: [at, mean + halfWidth] }]],
  );
  return [
    {
      type: 'line',
      name,
      data: found.map(({ at, mean }) => [at, mean]),
      symbolSize: 7,
      markLine: {
        silent: true,
        symbol: ['rect', 'rect'],
        symbolSize: [9, 2],
        lineStyle: { type: 'solid', width: 1.5 },
        label: { show: false },
        data: intervals,
      },
    },
  ];
}

function failureSection(state: readonly StudyCell[]): string {
  const failed = state.filter(({ outcome }) => outcome?.reason !== undefined);
  if (failed.length === 0) return '';
  const rows = failed
    .slice(0, 100)
    .map(({ cell, outcome }) => [
      cell.id.slice(0, 12),
      cell.point.map(({ path, label }) => `${path} = ${label}`).join(', '),
      String(cell.input.seed),
      outcome?.reason ?? '',
    ]);
  const table = htmlTable([['cell', 'point', 'seed', 'reason'], ...rows]);
  return `<section class="violations"><h2>${failed.length} failed cells</h2>${table}</section>`;
}

const downloadLink = (csv: string): string =>
  `<p><a download="results.csv" href="data:text/csv;charset=utf-8,${encodeURIComponent(csv)}">results.csv</a>, one row per cell</p>`;

function pointTable(
  study: StudyDocument,
  points: readonly PointRow[],
  names: readonly string[],
): string {
  const rows = points.map(({ labels, estimates }) => [
    ...labels,
    ...names.map((name) => {
      const { mean, halfWidth } = estimates.get(name) ?? { mean: NaN, halfWidth: null };
      if (Number.isNaN(mean)) return '';
      return halfWidth === null
        ? shortNumber(mean)
        : `${shortNumber(mean)} ± ${shortNumber(halfWidth)}`;
    }),
  ]);
  return htmlTable([[...axisPaths(study), ...names], ...rows]);
}
