import { estimateOf } from './confidence';
import type { Estimate } from './confidence';
import type { Cell, Outcome } from './cell';
import { axisNames } from './axis-names';
import { figuresAt } from './figures';
import { figureAt, figureName } from '../figures/dictionary';
import { estimateText, withUnit } from '../figures/figure-text';
import { rawScale, scaleOf } from '../figures/scale';
import type { Scale } from '../figures/scale';
import type { Summary } from './summary';

/** A cell and what became of it; without an outcome it is missing. */
export interface StudyCell {
  readonly cell: Cell;
  readonly outcome?: Outcome;
}

/** A finished cell with its figures. */
export interface FigureRow {
  readonly cell: Cell;
  readonly figures: ReadonlyMap<string, number>;
  /** Flows that finished, over which quantiles are; undefined where the summary does not say. */
  readonly finished: number | undefined;
  readonly provenance: Outcome['provenance'];
}

/** All seeds of one point of the grid together. */
export interface PointRow {
  /** Label per axis. */
  readonly labels: readonly string[];
  readonly values: readonly unknown[];
  readonly estimates: ReadonlyMap<string, Estimate>;
}

export function figureRows(cells: readonly StudyCell[], paths: readonly string[]): FigureRow[] {
  return cells.flatMap(({ cell, outcome }) => {
    if (outcome?.summary === undefined) return [];
    const summary = JSON.parse(outcome.summary) as Summary;
    const figures = new Map(paths.flatMap((path) => [...figuresAt(summary, path)]));
    const finished = finishedOf(summary);
    return [{ cell, figures, finished, provenance: outcome.provenance }];
  });
}

/** Summaries of tests and of other versions may be without totals. */
function finishedOf({ allFlows }: Partial<Summary>): number | undefined {
  return allFlows === undefined ? undefined : allFlows.flows - allFlows.unfinished;
}

/** Names of all figures that any row has, in the order of the study. */
export const figureNames = (rows: readonly FigureRow[]): string[] => [
  ...new Set(rows.flatMap(({ figures }) => [...figures.keys()])),
];

/** Values of one key together, in the order of the first of each. */
export function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Mean and interval over seeds, point by point. */
export function pointRows(rows: readonly FigureRow[]): PointRow[] {
  const groups = grouped(rows, ({ cell }) => JSON.stringify(cell.point.map(({ label }) => label)));
  return [...groups.values()].map((group) => {
    const point = group[0]?.cell.point ?? [];
    const estimates = figureNames(group).map((name): [string, Estimate] => {
      const values = group.flatMap(({ figures }) => figures.get(name) ?? []);
      return [name, estimateOf(values)];
    });
    return {
      labels: point.map(({ label }) => label),
      values: point.map(({ value }) => value),
      estimates: new Map(estimates),
    };
  });
}

/**
 * Points as texts, the names of axes and figures first. A mean has its interval behind it, and what no
 * run of a point has shown is a dash.
 */
export function pointTexts(
  points: readonly PointRow[],
  { axes, names }: { readonly axes: readonly string[]; readonly names: readonly string[] },
): string[][] {
  const columns = names.map((name) => ({ name, scale: pointScale(name, points) }));
  const rows = points.map(({ labels, estimates }) => [
    ...labels,
    ...columns.map(({ name, scale }) => estimateText(figureAt(name), estimates.get(name), scale)),
  ]);
  const heads = columns.map(({ name, scale }) => withUnit(figureName(name), scale));
  return [[...axisNames(axes), ...heads], ...rows];
}

/** The unit of a figure in which the means of all points have few digits. */
export function pointScale(name: string, points: readonly PointRow[]): Scale {
  const means = points.flatMap(({ estimates }) => estimates.get(name)?.mean ?? []);
  return scaleOf(figureAt(name), means);
}

/** A column of the export: one value per finished cell. */
export interface Column {
  /** Path of the scenario or the result, which programs read. */
  readonly name: string;
  /** Name for people. */
  readonly head: string;
  readonly values: readonly (string | number | null)[];
}

/** Finished cells as columns: id, axes, seed, figures, and where each ran. */
export function exportColumns(rows: readonly FigureRow[]): Column[] {
  const axes = rows[0]?.cell.point.map(({ path }) => path) ?? [];
  const heads = axisNames(axes);
  const column = (
    name: string,
    value: (row: FigureRow) => string | number | null,
    head = name,
  ): Column => ({ name, head, values: rows.map(value) });
  return [
    column('cell', ({ cell }) => cell.id),
    ...axes.map((path, i) => ({
      name: path,
      head: heads[i] ?? path,
      values: axisValues(rows, i),
    })),
    column('seed', ({ cell }) => cell.input.seed),
    ...figureNames(rows).map((name) =>
      column(name, ({ figures }) => figures.get(name) ?? null, rawHead(name)),
    ),
    column('version', ({ provenance }) => provenance.version),
    column('host', ({ provenance }) => provenance.host),
    column('duration_ms', ({ provenance }) => provenance.durationMs),
    column('memory_bytes', ({ provenance }) => provenance.memoryBytes),
  ];
}

/** Values of tables for programs keep the unit of the result. */
const rawHead = (name: string): string => withUnit(figureName(name), rawScale(figureAt(name)));

/** Numbers stay numbers where all are; else all are labels. */
function axisValues(rows: readonly FigureRow[], axis: number): Column['values'] {
  const points = rows.map(({ cell }) => cell.point[axis]);
  const isNumeric = points.every((point) => typeof point?.value === 'number');
  return points.map((point) => (isNumeric ? (point?.value as number) : (point?.label ?? '')));
}

/** RFC 4180, with the names in the first row. */
export function csvText(columns: readonly Column[]): string {
  const cells = (row: number): string =>
    columns.map(({ values }) => csvField(values[row] ?? null)).join(',');
  const rows = columns[0]?.values.map((_, i) => cells(i)) ?? [];
  return `${[columns.map(({ head }) => csvField(head)).join(','), ...rows].join('\r\n')}\r\n`;
}

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
