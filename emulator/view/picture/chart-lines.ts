import type { Chart, ChartSeries } from '../data/chart';
import { seriesColor } from '../data/series-colors';
import type { ChartLook, Place } from './chart-axes';
import { lowestOf } from './chart-axes';
import { entryName, isLegible, legendOf } from './legend';
import type { LegendEntry } from './legend';
import type { Ink, PictureStyle } from './picture-style';

/** Dashes by the number of a colour, in sizes of a line's width: lines differ by more than their colour. */
const DASHES: readonly (readonly number[])[] = [[], [4, 2], [1.5, 2], [5, 2, 1.5, 2]];

export const dashesOf = (color: number): readonly number[] =>
  DASHES[Math.floor(color / 2) % DASHES.length] ?? [];

export const colorOf = (index: number, ink: Ink): string => seriesColor(index)[ink.series];

/** Lines of so few points have them marked: between sizes or seeds there is nothing. */
const POINTS_MARKED = 24;

interface Drawn {
  readonly color: string;
  readonly width: number;
  readonly opacity: number;
  readonly dashes: readonly number[];
  /** A value as it is drawn: none is below a logarithmic axis. */
  readonly up: (value: number) => number;
  readonly common: { readonly name: string };
  readonly style: PictureStyle;
}

/** The series of a chart as ECharts has them. */
export function linesOf(chart: Chart, { index, style }: Place, { hidden }: ChartLook): object[] {
  const entries = legendOf(chart);
  const isCrowded = !isLegible(chart.series);
  const low = chart.y.isLogarithmic === true ? lowestOf(chart) : undefined;
  return entries
    .filter(({ name }) => hidden?.has(name) !== true)
    .flatMap((entry) =>
      entry.series.flatMap((i) => {
        const one = chart.series[i] as ChartSeries;
        const drawn: Drawn = {
          ...looksOf(one, entry, { style, isCrowded }),
          up: (value) => (low === undefined ? value : Math.max(value, low)),
          common: {
            name: entryName(one),
            xAxisIndex: index,
            yAxisIndex: index,
            silent: true,
          } as Drawn['common'],
          style,
        };
        return [lineOf(one, drawn), ...intervalsOf(one, drawn)];
      }),
    );
}

function looksOf(
  { kind }: ChartSeries,
  { color }: LegendEntry,
  {
    style: { fontSize, ink },
    isCrowded,
  }: { readonly style: PictureStyle; readonly isCrowded: boolean },
): Pick<Drawn, 'color' | 'width' | 'opacity' | 'dashes'> {
  if (kind === 'reference') {
    const dashes = [fontSize / 2, fontSize / 3];
    return { color: ink.reference, width: fontSize / 10, opacity: 1, dashes };
  }
  const width = fontSize / (isCrowded ? 12 : 7);
  const dashes = isCrowded ? [] : dashesOf(color);
  return {
    color: colorOf(color, ink),
    width,
    opacity: isCrowded ? 0.65 : 1,
    dashes: dashes.map((length) => length * width),
  };
}

function lineOf(one: ChartSeries, drawn: Drawn): object {
  const { color, width, opacity, dashes, up, common, style } = drawn;
  const data = one.x.map((at, i) => [at, one.y[i] === null ? null : up(one.y[i] as number)]);
  const based = { ...common, itemStyle: { color, opacity }, data };
  const symbolSize = style.fontSize / 2;
  if (one.kind === 'points') {
    return { ...based, type: 'scatter', symbolSize: data.length > 300 ? 3 : symbolSize };
  }
  if (one.kind === 'bars') return { ...based, type: 'bar' };
  const isStep = one.kind === 'step' || one.isStepped === true;
  const isPlain = one.kind === undefined || one.kind === 'line';
  return {
    ...based,
    type: 'line',
    symbol: 'circle',
    showSymbol: isPlain && data.length <= POINTS_MARKED,
    symbolSize,
    ...(isStep && { step: 'end' }),
    lineStyle: { color, width, opacity, ...(dashes.length > 0 && { type: [...dashes] }) },
    ...(one.kind === 'area' && { areaStyle: { color, opacity: 0.12 } }),
  };
}

/** Thin upright lines with caps around each value, which belong to the axis as the values do. */
function intervalsOf(
  { x, y, halfWidths }: ChartSeries,
  { color, up, common, style }: Drawn,
): object[] {
  if (halfWidths === undefined) return [];
  const data = x.flatMap((at, i) => {
    const [mean, half] = [y[i], halfWidths[i]];
    if (typeof mean !== 'number' || typeof half !== 'number') return [];
    const [low, high] = [mean - half, mean + half];
    return [[at, up(low), up(high), up(low) === low ? 1 : 0]];
  });
  const encode = { x: 0, y: [1, 2] };
  return [
    {
      ...common,
      type: 'custom',
      data,
      encode,
      renderItem: interval(color, style.fontSize / 4),
      clip: true,
      itemStyle: { color },
    },
  ];
}

interface CustomApi {
  value(dimension: number): number;
  coord(place: readonly number[]): [number, number];
}

/** An end that is below the axis, as zero is on a logarithmic one, has no cap. */
const interval = (stroke: string, cap: number) => (_: unknown, api: CustomApi) => {
  const [x, low] = api.coord([api.value(0), api.value(1)]);
  const [, high] = api.coord([api.value(0), api.value(2)]);
  const style = { stroke, opacity: 0.6 };
  const across = (y: number) => ({ x1: x - cap, y1: y, x2: x + cap, y2: y });
  const capped = api.value(3) === 1 ? [high, low] : [high];
  const shapes = [{ x1: x, y1: low, x2: x, y2: high }, ...capped.map(across)];
  return { type: 'group', children: shapes.map((shape) => ({ type: 'line', shape, style })) };
};
