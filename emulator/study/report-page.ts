import type { Chart, ChartSeries } from '../view/data/chart';
import type { Fact, PageData, PageSection } from '../view/data/page-data';
import { bestOf, verdictOfBest } from '../figures/best-of';
import type { Best } from '../figures/best-of';
import { figureAt, figureName } from '../figures/dictionary';
import type { Scale } from '../figures/scale';
import { figureAxis } from '../view/data/axis';
import { warningSections } from '../view/data/warnings';
import { axisNames } from './axis-names';
import { costText } from './cost';
import { studyWarnings } from './warnings';
import { axesOf, axisPaths } from './study-document';
import type { StudyDocument } from './study-document';
import { figureNames, figureRows, grouped, pointRows, pointScale, pointTexts } from './table';
import type { PointRow, StudyCell } from './table';

export interface PageFacts {
  /** Command that made the page. */
  readonly command: string;
  readonly version: string;
  /** The table to download. */
  readonly csv: string;
}

/** The page of a study: small multiples over its axes, failures, a table. */
export function studyPage(
  study: StudyDocument,
  state: readonly StudyCell[],
  { command, version, csv }: PageFacts,
): PageData {
  const rows = figureRows(state, study.figures);
  const points = pointRows(rows);
  const names = figureNames(rows);
  const title = study.title ?? study.name;
  const charts = chartsOf(study, points, names);
  const best = bestPoints(points, { axes: axisNames(axisPaths(study)), names });
  const verdict = verdictOfBest(best);
  const cost = costText(rows);
  const counts = `${rows.length} of ${state.length} cells`;
  return {
    title,
    subtitle: `${counts}; means over seeds, bars are 95 % confidence intervals. ${version}.`,
    command,
    ...(verdict !== undefined && { verdict }),
    facts: best.map(({ what, value, who }): Fact => [value, what, who]),
    opening: [...failureSection(state), ...warningSections(studyWarnings(rows))],
    charts: charts.slice(0, CHARTS_MAX),
    closing: [
      ...leftOut(charts.length - CHARTS_MAX),
      {
        title: 'Figures',
        rows: pointTexts(points, { axes: axisPaths(study), names }),
        text: [...(cost === undefined ? [] : [cost]), 'One row per cell:'],
        file: { name: 'results.csv', text: csv },
      },
    ],
  };
}

/** Figures at the head of a page. */
const TILES_MAX = 3;
/** Points that are as good as the best one and are named. */
const NAMED_MAX = 2;

/** The best points by the first figures of a study that have a better direction. */
function bestPoints(
  points: readonly PointRow[],
  { axes, names }: { readonly axes: readonly string[]; readonly names: readonly string[] },
): Best[] {
  const nameOf = ({ labels }: PointRow): string =>
    labels.map((label, i) => `${axes[i] ?? ''} ${label}`).join(', ');
  return names
    .flatMap((path) => {
      const contenders = points.map((row) => ({
        name: nameOf(row),
        estimate: row.estimates.get(path),
      }));
      return bestOf(path, contenders, NAMED_MAX) ?? [];
    })
    .slice(0, TILES_MAX);
}

/** Charts that a reader may look at, and a browser draw. */
const CHARTS_MAX = 200;

function leftOut(charts: number): PageSection[] {
  if (charts <= 0) return [];
  const text = `${charts} more charts would be here: plots, or axes as x and lines, make them fewer.`;
  return [{ title: 'Not shown', text: [text] }];
}

interface ChartPlan {
  readonly figure: string;
  readonly x: number;
  /** Axis whose values are lines, or -1. */
  readonly lines: number;
  readonly isLogarithmic: boolean;
}

/** Plots that the study names, or one per figure. */
function plansOf(study: StudyDocument, names: readonly string[]): ChartPlan[] {
  const paths = axisPaths(study);
  const together = zipsOf(study);
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
    const other = together.findIndex((zip) => zip !== together[across]);
    const plan = { x: across, lines: lines === undefined ? other : paths.indexOf(lines) };
    return names
      .filter((name) => isOf(name, figure))
      .map((name) => ({ figure: name, ...plan, isLogarithmic: logarithmic }));
  });
}

/** Entry of the document by axis: axes that are zipped have the same. */
const zipsOf = ({ axes }: StudyDocument): number[] =>
  axes.flatMap((entry, i) => axesOf(entry).map(() => i));

/** True if a name with indexes matches a path with `*`. */
function isOf(name: string, figure: string): boolean {
  const keys = figure.split('.');
  const parts = name.split('.');
  return parts.length === keys.length && keys.every((key, i) => key === '*' || key === parts[i]);
}

/** The axes that go with neither bottom nor lines make one chart per value: small multiples. */
function chartsOf(
  study: StudyDocument,
  points: readonly PointRow[],
  names: readonly string[],
): Chart[] {
  const axes = axisNames(axisPaths(study));
  const together = zipsOf(study);
  if (axes.length === 0) return [];
  return plansOf(study, names).flatMap((plan, i) => {
    const facets = grouped(points, ({ labels }) =>
      labels
        .map((label, axis) =>
          together[axis] === together[plan.x] || together[axis] === together[plan.lines]
            ? ''
            : `${axes[axis]} = ${label}`,
        )
        .filter((text) => text !== '')
        .join(', '),
    );
    return [...facets].map(([facet, rows], j) => ({
      id: `chart${i}-${j}`,
      title: facet === '' ? figureName(plan.figure) : `${figureName(plan.figure)}: ${facet}`,
      caption: captionOf(plan, axes),
      ...chartData(plan, rows, axes),
    }));
  });
}

function captionOf({ figure, x, lines }: ChartPlan, axes: readonly string[]): string {
  const { better, meaning } = figureAt(figure);
  const direction = better === 'neither' ? '' : ` Better: ${better}.`;
  const each = lines < 0 ? '' : `, a line per ${axes[lines] ?? ''}`;
  return `Over ${axes[x] ?? ''}${each}. ${meaning}${direction}`;
}

function chartData(
  plan: ChartPlan,
  rows: readonly PointRow[],
  axes: readonly string[],
): Pick<Chart, 'x' | 'y' | 'series'> {
  const isNumeric = rows.every(({ values }) => typeof values[plan.x] === 'number');
  const categories = [...new Set(rows.map(({ labels }) => labels[plan.x] ?? ''))];
  const lines = grouped(rows, ({ labels }) =>
    plan.lines < 0 ? figureName(plan.figure) : (labels[plan.lines] ?? ''),
  );
  const place = (row: PointRow): number =>
    isNumeric ? (row.values[plan.x] as number) : categories.indexOf(row.labels[plan.x] ?? '');
  const scale = pointScale(plan.figure, rows);
  return {
    x: { label: axes[plan.x] ?? '', ...(!isNumeric && { categories }) },
    y: figureAxis(plan.figure, scale, { isLogarithmic: plan.isLogarithmic }),
    series: [...lines].map(([name, line]) => seriesOf(name, line, { ...plan, place, scale })),
  };
}

interface Placement {
  readonly figure: string;
  readonly place: (row: PointRow) => number;
  readonly scale: Scale;
}

/** The means as a line, with their intervals. */
function seriesOf(
  name: string,
  rows: readonly PointRow[],
  { figure, place, scale: { factor } }: Placement,
): ChartSeries {
  const found = rows
    .flatMap((row) => {
      const estimate = row.estimates.get(figure);
      return estimate === undefined ? [] : [{ at: place(row), ...estimate }];
    })
    .sort((a, b) => a.at - b.at);
  return {
    name,
    x: found.map(({ at }) => at),
    y: found.map(({ mean }) => mean / factor),
    halfWidths: found.map(({ halfWidth }) => (halfWidth === null ? null : halfWidth / factor)),
  };
}

function failureSection(state: readonly StudyCell[]): PageSection[] {
  const failed = state.filter(({ outcome }) => outcome?.reason !== undefined);
  if (failed.length === 0) return [];
  const rows = failed
    .slice(0, 100)
    .map(({ cell, outcome }) => [
      cell.id.slice(0, 12),
      cell.point.map(({ path, label }) => `${path} = ${label}`).join(', '),
      String(cell.input.seed),
      outcome?.reason ?? '',
    ]);
  const heads = ['cell', 'point', 'seed', 'reason'];
  return [{ title: `${failed.length} failed cells`, rows: [heads, ...rows], tone: 'bad' }];
}
