import { figureAt } from './dictionary';
import { cellText, estimateText, headOf } from './figure-text';
import type { Estimate } from './figure-text';
import { scaleOf } from './scale';

/** A value of a row, or a mean over seeds; nothing where the row does not have the figure. */
type Value = number | Estimate | null | undefined;

/** A figure of every row of a table. */
export interface FigureColumn<Row> {
  /** Path of the dictionary. */
  readonly path: string;
  readonly of: (row: Row) => Value;
  /** True if it is left out where all rows have nothing, or zero. */
  readonly isOptional?: true;
}

/** Heads with units, then the cells of each row: a column has one unit. */
export function figureColumns<Row>(
  rows: readonly Row[],
  columns: readonly FigureColumn<Row>[],
): string[][] {
  const shown = columns
    .map(({ path, of, isOptional }) => ({ path, isOptional, values: rows.map(of) }))
    .filter(
      ({ isOptional, values }) =>
        isOptional !== true || values.some((value) => (meanOf(value) ?? 0) !== 0),
    )
    .map(({ path, values }) => columnTexts(path, values));
  return [...rows.keys(), rows.length].map((_, i) => shown.map((texts) => texts[i] ?? ''));
}

/** The head of a column, and its cells. */
function columnTexts(path: string, values: readonly Value[]): string[] {
  const figure = figureAt(path);
  const scale = scaleOf(
    figure,
    values.flatMap((value) => meanOf(value) ?? []),
  );
  const cells = values.map((value) =>
    typeof value === 'number' ? cellText(figure, value, scale) : estimateText(figure, value, scale),
  );
  return [headOf(figure, scale), ...cells];
}

const meanOf = (value: Value): number | null | undefined =>
  typeof value === 'object' && value !== null ? value.mean : value;
