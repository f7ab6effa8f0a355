import type { Axis, Chart, ChartSeries } from '../data/chart';
import { seriesColor } from '../data/series-colors';
import { drawOption } from './echarts';

/** Measures of a picture: its units are px of a page, or points of paper. */
export interface PictureStyle {
  /** Size of one chart. */
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
  readonly fontFamily: string;
  /** Unit of the whole picture in its file: `px` or `pt`. */
  readonly unit: 'px' | 'pt';
  /** True if charts have their titles; a paper has captions. */
  readonly hasTitles: boolean;
}

/** Charts of documents on a screen. */
const SCREEN: PictureStyle = {
  width: 520,
  height: 380,
  fontSize: 12,
  fontFamily: 'system-ui, sans-serif',
  unit: 'px',
  hasTitles: true,
};

const PAPER_FONT = "'Times New Roman', 'Nimbus Roman', 'Liberation Serif', serif";

/** Figures of papers in one column and over both, in points: 3.33 and 7 inches, as in ACM's and IEEE's styles. */
export const PAPER_STYLES = {
  column: {
    width: 240,
    height: 160,
    fontSize: 8,
    fontFamily: PAPER_FONT,
    unit: 'pt',
    hasTitles: false,
  },
  page: {
    width: 504,
    height: 200,
    fontSize: 9,
    fontFamily: PAPER_FONT,
    unit: 'pt',
    hasTitles: false,
  },
} as const satisfies Record<string, PictureStyle>;

const NEUTRAL = '#8a94a0';
const TEXT = '#1d2733';
const GRID = '#e3e7eb';
const PAPER = '#fff';
/** Pictures of a screen follow its colours; paper is white. */
const DARK =
  '<style>@media(prefers-color-scheme:dark){text{fill:#d7dee6}' +
  `rect[fill="${PAPER}"]{fill:#14181d}path[stroke="${GRID}"]{stroke:#2c343d}}</style>`;

/**
 * Charts side by side as an SVG file, for documents; equal charts give equal text, and words stay text.
 * @param command what makes the picture again; it stands in the picture, for who finds it somewhere.
 */
export function drawPicture(
  charts: readonly Chart[],
  command: string,
  style: PictureStyle = SCREEN,
): string {
  const width = style.width * charts.length;
  const option = {
    animation: false,
    backgroundColor: PAPER,
    textStyle: { fontFamily: style.fontFamily, fontSize: style.fontSize, color: TEXT },
    title: style.hasTitles ? charts.map((chart, i) => titleOf(chart, i, style)) : [],
    legend: legendOf(charts, style),
    grid: charts.map((_, i) => gridOf(i, style, charts.length)),
    xAxis: charts.map((chart, i) => axisOf(xAxisOf(chart), 'x', { index: i, style })),
    yAxis: charts.map((chart, i) => axisOf(yAxisOf(chart), 'y', { index: i, style })),
    series: charts.flatMap((chart, i) =>
      chart.series.flatMap((one, k) =>
        seriesOf(chart, one, { index: i, colour: colourOf(chart, k), style }),
      ),
    ),
  };
  return finished(drawOption(option, width, style.height), { command, width, style });
}

interface Place {
  /** Number of the chart in the picture. */
  readonly index: number;
  readonly style: PictureStyle;
}

const titleOf = ({ title }: Chart, i: number, { width, fontSize }: PictureStyle) => ({
  text: title,
  left: i * width + width / 2,
  top: fontSize * 2.2,
  textAlign: 'center',
  textStyle: { fontSize: fontSize + 2, fontWeight: 'bold', color: TEXT },
});

/** Each line once, whichever charts it is in; lines of a group are one. */
function legendOf(charts: readonly Chart[], { fontSize, width }: PictureStyle) {
  const names = [...new Set(charts.flatMap(({ series }) => series.map(nameOf)))];
  return {
    show: names.length > 1 && names.length <= LEGEND_MAX,
    data: names,
    top: 2,
    left: 'center',
    width: width * charts.length * 0.94,
    itemWidth: fontSize * 1.6,
    itemHeight: fontSize * 0.6,
    // Widths of words are estimated, and fonts of screens are up to a fifth wider.
    itemGap: fontSize * 2.4,
    icon: 'rect',
    textStyle: { fontSize, color: TEXT },
  };
}

/** Names that fit above a chart. */
const LEGEND_MAX = 12;

const nameOf = ({ group, name }: ChartSeries): string => group ?? name;

/** Groups have one colour; a reference is grey. */
function colourOf({ series }: Chart, index: number): string {
  const one = series[index] as ChartSeries;
  if (one.kind === 'reference') return NEUTRAL;
  const names = [...new Set(series.filter(({ kind }) => kind !== 'reference').map(nameOf))];
  return seriesColor(names.indexOf(nameOf(one))).picture;
}

const gridOf = (i: number, { width, fontSize, hasTitles }: PictureStyle, count: number) => ({
  left: i * width + fontSize * 5.2,
  right: (count - 1 - i) * width + fontSize * 1.4,
  top: fontSize * (hasTitles ? 5 : 2.6),
  bottom: fontSize * 3.9,
});

interface DrawnAxis extends Axis {
  readonly low?: number | undefined;
}

/** Least positive value of an axis: zero has no place on a logarithmic one, and is drawn at its end. */
function lowOf(axis: Axis, values: readonly number[]): number | undefined {
  if (axis.isLogarithmic !== true) return axis.min;
  const least = values.filter((value) => value > 0).reduce((a, b) => Math.min(a, b), Infinity);
  return axis.min ?? (least === Infinity ? 1 : 10 ** Math.floor(Math.log10(least) + 1e-9));
}

const xAxisOf = ({ x, series }: Chart): DrawnAxis => ({
  ...x,
  low: lowOf(
    x,
    series.flatMap(({ x: values }) => [...values]),
  ),
});

const yAxisOf = ({ y, series }: Chart): DrawnAxis => ({
  ...y,
  low: lowOf(
    y,
    series.flatMap(({ y: values }) => values.flatMap((value) => value ?? [])),
  ),
});

function axisOf(axis: DrawnAxis, side: 'x' | 'y', { index, style }: Place) {
  const { label, isLogarithmic, isWhole, categories, low, max } = axis;
  const { fontSize } = style;
  const type = categories !== undefined ? 'category' : isLogarithmic === true ? 'log' : 'value';
  return {
    type,
    gridIndex: index,
    name: label,
    nameLocation: 'middle',
    nameGap: fontSize * (side === 'x' ? 1.9 : 3.7),
    nameTextStyle: { fontSize, color: TEXT },
    axisLabel: {
      fontSize,
      color: TEXT,
      hideOverlap: true,
      ...(categories === undefined && { formatter: numberText }),
    },
    axisLine: { show: true, lineStyle: { color: NEUTRAL } },
    splitLine: { show: side === 'y', lineStyle: { color: GRID } },
    ...(categories !== undefined && { data: [...categories] }),
    ...(low !== undefined && { min: low }),
    ...(max !== undefined && { max }),
    ...(isWhole === true && { minInterval: 1 }),
  };
}

function seriesOf(
  chart: Chart,
  one: ChartSeries,
  place: Place & { readonly colour: string },
): object[] {
  const { index, colour, style } = place;
  const isReference = one.kind === 'reference';
  const low = yAxisOf(chart).low;
  const up = (value: number | null | undefined): number | null =>
    value === null || value === undefined
      ? null
      : chart.y.isLogarithmic === true && low !== undefined
        ? Math.max(value, low)
        : value;
  const data = one.x.map((at, i) => [at, up(one.y[i])]);
  const common = {
    name: nameOf(one),
    xAxisIndex: index,
    yAxisIndex: index,
    itemStyle: { color: colour },
  };
  const intervals = intervalsOf(one, common, { colour, up });
  if (one.kind === 'points') {
    return [{ ...common, type: 'scatter', symbolSize: style.fontSize / 2, data }, ...intervals];
  }
  if (one.kind === 'bars') return [{ ...common, type: 'bar', data }, ...intervals];
  const isStep = one.kind === 'step' || one.isStepped === true;
  const isPlain = one.kind === undefined || one.kind === 'line';
  const isFew = isPlain && !isStep && data.length <= POINTS_MARKED;
  const line = {
    ...common,
    type: 'line',
    data,
    symbol: 'circle',
    showSymbol: isFew,
    symbolSize: style.fontSize / 2,
    ...(isStep && { step: 'end' }),
    lineStyle: {
      color: colour,
      width: style.fontSize / (isReference ? 10 : 7),
      ...(isReference && { type: [style.fontSize / 2, style.fontSize / 3] }),
    },
    ...(one.kind === 'area' && { areaStyle: { color: colour, opacity: 0.12 } }),
  };
  return [line, ...intervals];
}

/** Lines of so few points have them marked: between sizes or seeds there is nothing. */
const POINTS_MARKED = 24;

/** Thin upright lines around each value. */
function intervalsOf(
  { x, y, halfWidths }: ChartSeries,
  common: object,
  { colour, up }: { readonly colour: string; readonly up: (value: number) => number | null },
): object[] {
  if (halfWidths === undefined) return [];
  const data = x.flatMap((at, i) => {
    const [mean, half] = [y[i], halfWidths[i]];
    if (typeof mean !== 'number' || typeof half !== 'number') return [];
    return [[at, up(mean - half), up(mean + half)]];
  });
  return [
    { ...common, type: 'custom', data, renderItem: interval(colour), clip: true, silent: true },
  ];
}

interface CustomApi {
  value(dimension: number): number;
  coord(place: readonly number[]): [number, number];
}

const interval = (stroke: string) => (_: unknown, api: CustomApi) => {
  const [x1, y1] = api.coord([api.value(0), api.value(1)]);
  const [x2, y2] = api.coord([api.value(0), api.value(2)]);
  return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke, opacity: 0.6 } };
};

/** Large numbers with a letter, as axes have no room for zeros. */
function numberText(value: number): string {
  const size = Math.abs(value);
  const [unit, suffix] = size >= 1e6 ? [1e6, 'M'] : size >= 1e4 ? [1e3, 'k'] : [1, ''];
  return `${Number((value / unit).toPrecision(4))}${suffix}`;
}

/** Gives the element its measures and origin, and takes away what is only for a pointer, and counts drawings. */
function finished(
  svg: string,
  {
    command,
    width,
    style,
  }: { readonly command: string; readonly width: number; readonly style: PictureStyle },
): string {
  const size = `width="${width}${style.unit}" height="${style.height}${style.unit}"`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${style.height}" role="img">`;
  const body = svg
    .slice(svg.indexOf('>') + 1)
    .replaceAll(/<style[^>]*>.*?<\/style>\s*/gs, '')
    .replaceAll(/ (class|ecmeta_\w+|pointer-events)="[^"]*"/g, '')
    .replaceAll(/zr\d+-/g, 'zr-');
  const scheme = style.unit === 'px' ? DARK : '';
  return `${head}<desc>${escapeXml(command)}</desc>${scheme}${body}\n`;
}

const escapeXml = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
