/** A chart as data: the page draws it, and offers it as CSV. */
export interface Chart {
  /** Unique on its page; also the name of the CSV file. */
  readonly id: string;
  readonly title: string;
  /** One sentence on how to read it. */
  readonly caption: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly ChartSeries[];
  /** Subject under which a page of a run folds it. */
  readonly subject?: 'Flows' | 'Queues, losses and feedback';
  /** True if x is the time of the page: charts of this kind are zoomed together. */
  readonly followsTime?: boolean;
  /** File beside the result that has every sample, where this chart has fewer. */
  readonly wholeFile?: string;
}

export interface Axis {
  /** With its unit, as in `queue (KB)`. */
  readonly label: string;
  /** Path of the dictionary of figures; absent for what is varied, and for words. */
  readonly figure?: string;
  /** Name and unit of the values, which the label has together; absent where it is the name. */
  readonly name?: string;
  readonly unit?: string;
  readonly isLogarithmic?: boolean;
  /** True if values are whole numbers. */
  readonly isWhole?: boolean;
  /** Smallest end of the axis, at least. */
  readonly min?: number;
  readonly max?: number;
  /** Words of an axis of words: x values are their places, from 0. */
  readonly categories?: readonly string[];
}

export interface ChartSeries {
  readonly name: string;
  /** Series of a group have one colour; without one, each has its own. */
  readonly group?: string;
  /** Ascending. */
  readonly x: readonly number[];
  /** Null where there is nothing. */
  readonly y: readonly (number | null)[];
  /** A line unless given; a reference is dashed and what others are measured by. */
  readonly kind?: 'line' | 'step' | 'area' | 'bars' | 'points' | 'reference';
  /** True for a reference whose values hold until its next point. */
  readonly isStepped?: boolean;
  /** Half of an interval around each y. */
  readonly halfWidths?: readonly (number | null)[];
}

/** A part of the time of a run. */
export interface TimeWindow {
  readonly fromUs: number;
  readonly toUs: number;
}

/** The chart without its file: a run that goes on has no file yet. */
export const withoutFile = ({ wholeFile: _none, ...chart }: Chart): Chart => chart;

/** The chart as comma-separated values: a row per point, by series. */
export function chartCsv({ x, y, series }: Chart): string {
  const rows = series.flatMap((one) =>
    one.x.map((at, i) => [one.name, x.categories?.[at] ?? at, one.y[i] ?? '']),
  );
  const lines = [['series', x.label, y.label], ...rows].map((row) => row.map(csvCell).join(','));
  return `${lines.join('\n')}\n`;
}

/** A spreadsheet takes a text that begins with one of `=+-@` for a formula. */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
