import type { Axis, Chart } from '../data/chart';
import type { PictureStyle } from './picture-style';

/** Part of a chart that is shown; without it, all. */
export interface ChartLook {
  /** Values at the ends of the horizontal axis. */
  readonly x?: readonly [from: number, to: number];
  /** Value at the upper end of the vertical axis. */
  readonly yMax?: number;
  /** Names of the legend whose lines are left out. */
  readonly hidden?: ReadonlySet<string>;
}

/** Place of a chart in a picture. */
export interface Place {
  /** Number of the chart in the picture. */
  readonly index: number;
  readonly count: number;
  /** True if lines are named above. */
  readonly hasNames: boolean;
  readonly style: PictureStyle;
}

/** Edges of the surface between the axes, in units of the picture. */
export interface PlotRect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Width of a letter, at most, by the size of its font. */
const LETTER = 0.62;
/** Words of an axis are turned where they do not fit beside each other. */
const TURNED = { degrees: 35, sine: 0.58, lettersMax: 14 };

export function plotRect(chart: Chart, { index, hasNames, style }: Place): PlotRect {
  const { x } = chart;
  const { width, height, fontSize, hasTitles } = style;
  const above = hasTitles ? 5 : hasNames ? 2.6 : 1;
  const words = isTurned(x, style) ? fontSize * wordsRoom(x) : 0;
  return {
    left: index * width + fontSize * numberRoom(chart),
    right: (index + 1) * width - fontSize * 1.4,
    top: fontSize * above,
    bottom: height - fontSize * 3.2 - words,
  };
}

/** Room beside an upright axis for its numbers and its name, in sizes of the font. */
function numberRoom({ y, series }: Chart): number {
  const values = series.flatMap(({ y: each }) => each.flatMap((value) => value ?? []));
  const high = values.reduce((a, b) => Math.max(a, b), y.max ?? -Infinity);
  const low = values.reduce((a, b) => Math.min(a, b), y.min ?? Infinity);
  const step = (high - low) / STEPS;
  const decimals = step > 0 ? Math.max(0, -Math.floor(Math.log10(step))) : 0;
  const letters = decimals === 0 ? 0 : decimals + 1 + String(Math.trunc(high)).length;
  return Math.max(ROOM_MIN, letters * LETTER + 2.1);
}

/** Numbers at an axis, about. */
const STEPS = 6;
/** Room for four digits, so that charts below each other begin at one place. */
const ROOM_MIN = 5.2;

const longest = ({ categories = [] }: Axis): number =>
  categories.reduce((most, { length }) => Math.max(most, length), 0);

/** Room for turned words, in sizes of their font, beyond that of words that stand. */
const wordsRoom = (axis: Axis): number =>
  Math.min(longest(axis), TURNED.lettersMax) * LETTER * TURNED.sine;

function isTurned(axis: Axis, { width, fontSize }: PictureStyle): boolean {
  const { categories = [] } = axis;
  const room = (width - fontSize * 6.6) / Math.max(1, categories.length);
  return (longest(axis) + 1) * LETTER * fontSize > room;
}

export function gridOf(chart: Chart, place: Place): object {
  const { width, height } = place.style;
  const { left, right, top, bottom } = plotRect(chart, place);
  // Marks are laid over it: it must not give way to words.
  const outerBoundsMode = 'none';
  return {
    left,
    right: place.count * width - right,
    top,
    bottom: height - bottom,
    outerBoundsMode,
  };
}

/**
 * The least value of an upright axis: zero has no place on a logarithmic one, and is drawn at its end. Undefined
 * where values decide.
 */
export function lowestOf(chart: Chart): number | undefined {
  return lowOf(chart.y, () => valuesOf(chart));
}

function lowOf(axis: Axis, values: () => readonly number[]): number | undefined {
  if (axis.isLogarithmic !== true) return axis.min;
  const least = values()
    .filter((value) => value > 0)
    .reduce((a, b) => Math.min(a, b), Infinity);
  return axis.min ?? (least === Infinity ? 1 : 10 ** Math.floor(Math.log10(least) + 1e-9));
}

export function xAxisOf({ x, series }: Chart, place: Place, look: ChartLook): object {
  const low = lowOf(x, () => series.flatMap(({ x: values }) => [...values]));
  const [from, to] = look.x ?? [low, x.max];
  const { style } = place;
  const turned = isTurned(x, style);
  return {
    ...axisOf(x, place, { low: from, high: to }),
    nameGap: style.fontSize * (2 + (turned ? wordsRoom(x) : 0)),
    axisLabel: {
      ...labelsOf(x, style),
      // Below the lowest number of the upright axis, which stands at the corner.
      margin: style.fontSize * 0.75,
      ...(turned && { interval: 0, rotate: TURNED.degrees, hideOverlap: false }),
      ...(turned && {
        formatter: (word: string) =>
          word.length > TURNED.lettersMax ? `${word.slice(0, TURNED.lettersMax - 1)}…` : word,
      }),
      // The end of a part of the time is no number that anybody wants to read.
      ...(look.x !== undefined && { showMinLabel: from === 0, showMaxLabel: false }),
    },
    splitLine: { show: false },
    ...(from === undefined && { scale: true }),
  };
}

export function yAxisOf(chart: Chart, place: Place, { yMax }: ChartLook): object {
  const { y } = chart;
  const low = lowestOf(chart);
  const { style } = place;
  return {
    ...axisOf(y, place, { low, high: y.max ?? yMax }),
    ...(low === undefined && y.max !== undefined && stepsBelow(y.max, valuesOf(chart))),
    nameGap: style.fontSize * (numberRoom(chart) - 1.4),
    axisLabel: labelsOf(y, style),
    splitLine: { show: true, lineStyle: { color: style.ink.grid, width: style.fontSize / 12 } },
    // Near 1, a line on an axis from 0 shows nothing.
    ...(low === undefined && { scale: true }),
  };
}

/** Steps of a round size down from a fixed end: of its own choice, the library puts a word close to that end. */
function stepsBelow(high: number, values: readonly number[]): { min: number; interval: number } {
  const least = values.reduce((a, b) => Math.min(a, b), high);
  const wanted = Math.max(high - least, RANGE_MIN * Math.abs(high)) / STEPS_BELOW;
  const size = 10 ** Math.floor(Math.log10(wanted));
  const interval = size * ([1, 2, 2.5, 5].find((each) => each * size >= wanted) ?? 10);
  const steps = Math.ceil((high - least) / interval - 1e-9);
  // A step is no binary fraction.
  return { min: Number((high - Math.max(steps, 1) * interval).toPrecision(12)), interval };
}

const STEPS_BELOW = 4;
/** Part of the end that an axis shows at least. */
const RANGE_MIN = 0.01;

const valuesOf = ({ series }: Chart): number[] =>
  series.flatMap(({ y }) => y.flatMap((value) => value ?? []));

function axisOf(
  { label, isLogarithmic, isWhole, categories }: Axis,
  { index, style }: Place,
  { low, high }: { readonly low?: number | undefined; readonly high?: number | undefined },
): object {
  const type = categories !== undefined ? 'category' : isLogarithmic === true ? 'log' : 'value';
  const { fontSize, ink } = style;
  return {
    type,
    gridIndex: index,
    name: label,
    nameLocation: 'middle',
    nameMoveOverlap: false,
    nameTextStyle: { fontSize, color: ink.text },
    axisLine: { show: true, lineStyle: { color: ink.axis, width: fontSize / 12 } },
    axisTick: { length: fontSize / 3, lineStyle: { width: fontSize / 12 } },
    ...(categories !== undefined && { data: [...categories] }),
    ...(low !== undefined && { min: low }),
    ...(high !== undefined && { max: high }),
    ...(isWhole === true && { minInterval: 1 }),
  };
}

const labelsOf = ({ categories }: Axis, { fontSize, ink }: PictureStyle): object => ({
  fontSize,
  color: ink.text,
  margin: fontSize / 2,
  hideOverlap: true,
  ...(categories === undefined && { formatter: numberText }),
});

/** Large numbers with a letter, as axes have no room for zeros. */
function numberText(value: number): string {
  const size = Math.abs(value);
  const [unit, suffix] = size >= 1e6 ? [1e6, 'M'] : size >= 1e4 ? [1e3, 'k'] : [1, ''];
  return `${Number((value / unit).toPrecision(5))}${suffix}`;
}
