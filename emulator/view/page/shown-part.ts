import type { Chart, ChartSeries } from '../data/chart';
import { calmMax, lowerBound, thinned } from '../data/thin';

/** Values between which a chart is shown. */
export type Span = readonly [from: number, to: number];

/** Points that a column of a picture can show: the first, the lowest, the highest and the last. */
const POINTS_OF_COLUMN = 4;

/**
 * The points of a chart that a picture of so many columns shows: those between two x, with the one before and the
 * one behind, and of points in one column those that make its line.
 */
export function shownPart(chart: Chart, span: Span | undefined, columns: number): Chart {
  if (chart.x.categories !== undefined) return chart;
  const points = columns * POINTS_OF_COLUMN;
  return {
    ...chart,
    series: chart.series.map((one) => {
      const part = span === undefined ? one : between(one, span);
      return part.x.length > points && isThinnable(part)
        ? { ...part, ...thinned({ x: part.x, y: part.y as readonly number[] }, points) }
        : part;
    }),
  };
}

function between(one: ChartSeries, [from, to]: Span): ChartSeries {
  const first = Math.max(0, lowerBound(one.x, from) - 1);
  const last = lowerBound(one.x, to) + 1;
  const cut = <Value>(values: readonly Value[]): Value[] => values.slice(first, last);
  const { x, y, halfWidths } = one;
  return { ...one, x: cut(x), y: cut(y), ...(halfWidths && { halfWidths: cut(halfWidths) }) };
}

const isThinnable = ({ kind, y, halfWidths }: ChartSeries): boolean =>
  kind !== 'points' && halfWidths === undefined && !y.includes(null);

/** Upper end of an axis that leaves short peaks out; undefined where none is to be left out. */
export function calmEnd({ followsTime, series }: Chart): number | undefined {
  if (followsTime !== true) return undefined;
  const values = series
    .filter(({ kind }) => kind !== 'reference')
    .flatMap(({ y }) => y.filter((value): value is number => value !== null));
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  const calm = calmMax(values);
  return highest > calm * 1.001 ? round(calm) : undefined;
}

/** The next number above with one digit and a half, which an axis may end with. */
function round(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value)) / 2;
  return Math.ceil(value / unit) * unit;
}

/** The highest point between two x that lies above the axis, if any does. */
export function peakAbove({ series }: Chart, top: number, [from, to]: Span) {
  let peak: { readonly x: number; readonly y: number } | undefined;
  for (const { x, y } of series) {
    for (let i = lowerBound(x, from); i < x.length && (x[i] as number) <= to; i++) {
      const value = y[i] ?? -Infinity;
      if (value > (peak?.y ?? top)) peak = { x: x[i] as number, y: value };
    }
  }
  return peak;
}
