import uPlot from 'uplot';
import type { Chart, ChartSeries } from '../data/chart';
import { calmMax, lowerBound } from '../data/thin';
import { colorOf, dashOf, ink } from './palette';

/** Colours and dashes of a chart: by group where it has groups, else by series. */
export interface LegendEntry {
  readonly name: string;
  readonly color: number;
  readonly isReference: boolean;
  /** Numbers of the series, from 1 as uPlot counts them. */
  readonly series: readonly number[];
}

const LEGEND_MAX = 12;

export function legendOf({ series }: Chart): LegendEntry[] {
  const entries = new Map<string, number[]>();
  series.forEach((one, i) => {
    const key = one.group ?? one.name;
    const known = entries.get(key);
    if (known === undefined) entries.set(key, [i + 1]);
    else known.push(i + 1);
  });
  return [...entries].map(([name, numbers], color) => {
    const isReference = numbers.every((i) => series[i - 1]?.kind === 'reference');
    return { name, color, isReference, series: numbers };
  });
}

/** A legend with more entries than this names nothing that anybody finds. */
export const isLegible = (entries: readonly LegendEntry[]): boolean => entries.length <= LEGEND_MAX;

/** Series with different x on one common x, as uPlot wants them. */
export function alignedData({ series }: Chart): uPlot.AlignedData {
  if (series.length === 0) return [[]];
  return uPlot.join(series.map(({ x, y }) => [[...x], [...y]] as uPlot.AlignedData));
}

export function uplotSeries(chart: Chart, entries: readonly LegendEntry[]): uPlot.Series[] {
  const entryOf = new Map(entries.flatMap((entry) => entry.series.map((i) => [i, entry] as const)));
  const isCrowded = chart.series.length > LEGEND_MAX;
  const series = chart.series.map((one, i): uPlot.Series => {
    const entry = entryOf.get(i + 1);
    return {
      label: one.name,
      // Points of other lines in between are no gaps; a null of its own is one.
      spanGaps: false,
      ...styleOf(one, entry?.color ?? 0, isCrowded),
    };
  });
  return [{}, ...series];
}

function styleOf(one: ChartSeries, index: number, isCrowded: boolean): Partial<uPlot.Series> {
  if (one.kind === 'reference') {
    const paths = one.isStepped === true ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const stroke = (): string => ink().reference;
    const lined = { stroke, width: 1.5, dash: [6, 4], points: { show: false } };
    return { ...lined, ...(paths && { paths }) };
  }
  const stroke = (): string => colorOf(index);
  const alpha = isCrowded ? 0.65 : 1;
  const dash = isCrowded ? [] : dashOf(Math.floor(index / 2));
  const lined = { stroke, alpha, dash, width: isCrowded ? 1 : 1.75, points: { show: false } };
  switch (one.kind ?? 'line') {
    case 'points':
      return {
        stroke,
        paths: () => null,
        points: { show: true, size: one.x.length > 300 ? 3 : 6, fill: stroke, stroke },
      };
    case 'bars': {
      const paths = uPlot.paths.bars?.({ size: [0.9, 24], align: 0 });
      return { ...lined, fill: stroke, ...(paths && { paths }) };
    }
    case 'step': {
      const paths = uPlot.paths.stepped?.({ align: 1 });
      return { ...lined, ...(paths && { paths }) };
    }
    case 'area':
      return { ...lined, fill: () => `${colorOf(index)}26` };
    case 'line':
      return one.x.length === 1 || one.halfWidths !== undefined
        ? { ...lined, points: { show: true, size: 6 } }
        : lined;
  }
}

/** Largest visible value of a chart; `isFull`: up to its highest peak. */
export function visibleMax(chart: Chart, from: number, to: number, isFull: boolean): number {
  const values: number[] = [];
  for (const { x, y, kind, halfWidths } of chart.series) {
    if (kind === 'reference') continue;
    const last = Math.min(x.length, lowerBound(x, to) + 1);
    for (let i = Math.max(0, lowerBound(x, from) - 1); i < last; i++) {
      const value = y[i];
      if (value !== null && value !== undefined) values.push(value + (halfWidths?.[i] ?? 0));
    }
  }
  const isCalm = chart.followsTime === true && !isFull;
  return isCalm ? calmMax(values) : values.reduce((most, value) => Math.max(most, value), 0);
}

/** Lowest end of the confidence intervals of a chart; undefined without any. */
export function lowestInterval({ series }: Chart): number | undefined {
  const ends = series.flatMap(({ y, halfWidths = [] }) =>
    y.flatMap((mean, i) => {
      const half = halfWidths[i];
      return mean === null || half === null || half === undefined ? [] : [mean - half];
    }),
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The highest point between two x that lies above the axis, if any does. */
export function peakAbove({ series }: Chart, top: number, from: number, to: number) {
  let peak: { readonly x: number; readonly y: number } | undefined;
  for (const { x, y } of series) {
    for (let i = lowerBound(x, from); i < x.length && (x[i] as number) <= to; i++) {
      const value = y[i] ?? -Infinity;
      if (value > (peak?.y ?? top)) peak = { x: x[i] as number, y: value };
    }
  }
  return peak;
}

/** True if a peak lies outside the picture until the full range is shown. */
export function hasPeaks(chart: Chart): boolean {
  if (chart.followsTime !== true) return false;
  const [full, calm] = [true, false].map((isFull) =>
    visibleMax(chart, -Infinity, Infinity, isFull),
  );
  return (full ?? 0) > (calm ?? 0) * 1.001;
}

export function axesOf({ x, y }: Chart): uPlot.Axis[] {
  const style = {
    stroke: (): string => ink().text,
    grid: { stroke: (): string => ink().grid, width: 1 },
    ticks: { stroke: (): string => ink().grid, width: 1 },
    font: '12px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    labelSize: 18,
  };
  const { categories } = x;
  const words: Partial<uPlot.Axis> =
    categories === undefined
      ? {}
      : {
          splits: () => categories.map((_, i) => i),
          values: (_chart, splits) => splits.map((at) => categories[at] ?? ''),
          rotate: -40,
          size: 64,
        };
  return [
    {
      ...style,
      label: x.label,
      size: 30,
      values: (_chart, splits) => splits.map(numberText),
      ...(x.isWhole === true && { incrs: WHOLE_STEPS }),
      ...words,
    },
    {
      ...style,
      label: y.label,
      size: (_chart, texts: string[] | null) => roomFor(texts ?? []),
      values: (_chart, splits) => splits.map(numberText),
    },
  ];
}

/** Pixels beside an upright axis for its numbers, which grow to millions of bytes. */
const roomFor = (texts: readonly string[]): number =>
  Math.max(56, 22 + 7 * Math.max(...texts.map(({ length }) => length)));

const WHOLE_STEPS = [1, 10, 100, 1000, 1e4, 1e5].flatMap((n) => [n, 2 * n, 5 * n]);

/** Powers of ten alone are named on a logarithmic axis, where uPlot gives null for others. */
function numberText(value: number | null): string {
  return value === null ? '' : Number(value.toPrecision(6)).toLocaleString('en-GB');
}
