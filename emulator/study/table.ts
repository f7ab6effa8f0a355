import { estimateOf } from './confidence';
import type { Estimate } from './confidence';
import type { Cell, Outcome } from './cell';
import { figuresAt } from './figures';
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
    return [{ cell, figures, provenance: outcome.provenance }];
  });
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
  const rows = points.map(({ labels, estimates }) => [
    ...labels,
    ...names.map((name) => estimateText(estimates.get(name))),
  ]);
  return [[...axes, ...names], ...rows];
}

/** `12.3 ± 0.4` */
function estimateText(estimate: Estimate | undefined): string {
  if (estimate === undefined) return '-';
  const { mean, halfWidth } = estimate;
  return halfWidth === null
    ? shortNumber(mean)
    : `${shortNumber(mean)} ± ${shortNumber(halfWidth)}`;
}

const DIGITS = 5;

/** A number as tables show it: five digits, and no zeros after them. */
const shortNumber = (value: number): string => String(Number(value.toPrecision(DIGITS)));

/** A column of the export: one value per finished cell. */
export interface Column {
  readonly name: string;
  readonly values: readonly (string | number | null)[];
}

/** Finished cells as columns: id, axes, seed, figures, and where each ran. */
export function exportColumns(rows: readonly FigureRow[]): Column[] {
  const axes = rows[0]?.cell.point.map(({ path }) => path) ?? [];
  const column = (name: string, value: (row: FigureRow) => string | number | null): Column => ({
    name,
    values: rows.map(value),
  });
  return [
    column('cell', ({ cell }) => cell.id),
    ...axes.map((path, i) => axisColumn(path, rows, i)),
    column('seed', ({ cell }) => cell.input.seed),
    ...figureNames(rows).map((name) => column(name, ({ figures }) => figures.get(name) ?? null)),
    column('version', ({ provenance }) => provenance.version),
    column('host', ({ provenance }) => provenance.host),
    column('duration_ms', ({ provenance }) => provenance.durationMs),
    column('memory_bytes', ({ provenance }) => provenance.memoryBytes),
  ];
}

/** Numbers stay numbers where all are; else all are labels. */
function axisColumn(name: string, rows: readonly FigureRow[], axis: number): Column {
  const points = rows.map(({ cell }) => cell.point[axis]);
  const isNumeric = points.every((point) => typeof point?.value === 'number');
  const values = points.map((point) =>
    isNumeric ? (point?.value as number) : (point?.label ?? ''),
  );
  return { name, values };
}

/** RFC 4180, with the names in the first row. */
export function csvText(columns: readonly Column[]): string {
  const cells = (row: number): string =>
    columns.map(({ values }) => csvField(values[row] ?? null)).join(',');
  const rows = columns[0]?.values.map((_, i) => cells(i)) ?? [];
  return `${[columns.map(({ name }) => csvField(name)).join(','), ...rows].join('\r\n')}\r\n`;
}

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
