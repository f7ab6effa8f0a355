import type { Axis, Chart, ChartSeries } from './chart';
import { seriesColor } from './series-colors';

/** Size of one chart, in px. */
const WIDTH = 520;
const HEIGHT = 380;
const BOX = { left: 64, right: 16, top: 58, bottom: 48 } as const;
const NEUTRAL = '#8a94a0';
const TICKS = 5;

/** Texts are legible on light and on dark pages, wherever the picture is shown. */
const STYLE =
  'text{fill:#1d2733;font:12px system-ui,sans-serif}' +
  '@media(prefers-color-scheme:dark){text{fill:#d7dee6}}';

/**
 * Charts side by side as an SVG element, for documents; equal charts give equal text.
 * @param command what makes the picture again; it stands in the picture, for who finds it somewhere.
 */
export function drawSvg(charts: readonly Chart[], command: string): string {
  const width = WIDTH * charts.length;
  const body = charts.map(
    (chart, i) => `<g transform="translate(${i * WIDTH} 0)">${drawChart(chart)}</g>`,
  );
  const longest = charts.reduce<readonly ChartSeries[]>(
    (most, { series }) => (series.length > most.length ? series : most),
    [],
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" ` +
    `width="${width}" height="${HEIGHT}" role="img"><desc>${escapeXml(command)}</desc><style>${STYLE}</style>` +
    `${legend(longest)}${body.join('')}</svg>\n`
  );
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly isLogarithmic: boolean;
  readonly at: (value: number) => number;
}

function drawChart(chart: Chart): string {
  const x = scaleOf(xAxisOf(chart), xValues(chart), [BOX.left, WIDTH - BOX.right]);
  const y = scaleOf(chart.y, yValues(chart), [HEIGHT - BOX.bottom, BOX.top]);
  const title = text(chart.title, { x: (WIDTH + BOX.left) / 2, y: 42, weight: 'bold', size: 14 });
  const lines = chart.series.map((one, i) => drawSeries(one, i, { x, y }));
  return title + grid(chart, x, y) + lines.join('');
}

/** Words stand half a place from the ends. */
const xAxisOf = ({ x }: Chart): Axis =>
  x.categories === undefined ? x : { ...x, min: -0.5, max: x.categories.length - 0.5 };

const xValues = ({ series }: Chart): number[] => series.flatMap(({ x }) => [...x]);
const yValues = ({ series }: Chart): number[] =>
  series.flatMap(({ y, halfWidths = [] }) =>
    y.flatMap((value, i) => (value === null ? [] : [value, value + (halfWidths[i] ?? 0)])),
  );

function scaleOf(
  axis: Axis,
  values: readonly number[],
  [start, end]: readonly [number, number],
): Scale {
  const isLogarithmic = axis.isLogarithmic === true;
  // Zero has no place on a logarithmic axis, and is drawn at its end.
  const placed = isLogarithmic ? values.filter((value) => value > 0) : values;
  const lowest = placed.reduce((least, value) => Math.min(least, value), Infinity);
  const highest = placed.reduce((most, value) => Math.max(most, value), -Infinity);
  const least = isLogarithmic ? powerBelow(lowest === Infinity ? 1 : lowest) : Math.min(0, lowest);
  const low = axis.min ?? least;
  const high = axis.max ?? niceEnd(highest > low ? highest : low + 1, isLogarithmic);
  const of = (value: number): number => (isLogarithmic ? Math.log10(Math.max(value, low)) : value);
  const at = (value: number): number =>
    start + ((of(value) - of(low)) / (of(high) - of(low))) * (end - start);
  return { low, high, isLogarithmic, at };
}

const powerBelow = (value: number): number => 10 ** Math.floor(Math.log10(value) + 1e-9);

/** The next number with few digits. */
function niceEnd(value: number, isLogarithmic: boolean): number {
  if (isLogarithmic) return 10 ** Math.ceil(Math.log10(value) - 1e-9);
  const step = stepOf(value);
  return Math.ceil(value / step) * step;
}

function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / TICKS));
  const found = [1, 2, 5].find((n) => span / (n * power) <= TICKS + 1);
  return (found ?? 10) * power;
}

function ticksOf({ low, high, isLogarithmic }: Scale): number[] {
  if (isLogarithmic) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const count = Math.floor(Math.log10(high) + 1e-9) - first + 1;
    return Array.from({ length: Math.max(0, count) }, (_, i) => 10 ** (first + i));
  }
  const step = stepOf(high - low);
  const count = Math.floor((high - low) / step + 1e-9) + 1;
  return Array.from({ length: count }, (_, i) => Number((low + i * step).toPrecision(10)));
}

function grid(chart: Chart, x: Scale, y: Scale): string {
  const [left, right, bottom] = [BOX.left, WIDTH - BOX.right, HEIGHT - BOX.bottom];
  const rows = ticksOf(y).map(
    (tick) =>
      line([left, y.at(tick)], [right, y.at(tick)], 0.2) +
      text(number(tick), { x: left - 8, y: y.at(tick) + 4, anchor: 'end' }),
  );
  const { categories } = chart.x;
  const places = categories?.map((_, i) => i) ?? ticksOf(x);
  const columns = places.map((tick) =>
    text(categories?.[tick] ?? number(tick), { x: x.at(tick), y: bottom + 18 }),
  );
  const names =
    text(chart.x.label, { x: (left + right) / 2, y: HEIGHT - 8 }) +
    text(chart.y.label, { x: 14, y: (BOX.top + bottom) / 2, turned: true });
  return rows.join('') + line([left, bottom], [right, bottom], 1) + columns.join('') + names;
}

function drawSeries(one: ChartSeries, index: number, { x, y }: { x: Scale; y: Scale }): string {
  const places = one.x.map((at, i) => {
    const value = one.y[i];
    const isDrawn = value !== null && value !== undefined && at <= x.high && at >= x.low;
    return isDrawn ? ([x.at(at), y.at(value)] as const) : undefined;
  });
  const path = pathOf(places, one.kind === 'step' || one.isStepped === true);
  const points = places.filter((place) => place !== undefined);
  const { color, dash, width } = strokeOf(one, index);
  const stroke =
    intervals(one, color, { x, y }) +
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}"${dash}/>`;
  const [first, last] = [points[0], points.at(-1)];
  if (one.kind !== 'area' || first === undefined || last === undefined) return stroke;
  const base = fixed(HEIGHT - BOX.bottom);
  const area = `${path}L${fixed(last[0])} ${base}L${fixed(first[0])} ${base}Z`;
  return `<path d="${area}" fill="${color}" opacity="0.12"/>${stroke}`;
}

/** A path through all places, with a gap where one has none. */
function pathOf(places: readonly (readonly [number, number] | undefined)[], isStepped: boolean) {
  let hasBegun = false;
  let path = '';
  for (const place of places) {
    if (place !== undefined) {
      const [px, py] = place.map(fixed);
      const step = isStepped ? `H${px ?? ''}` : '';
      path += `${hasBegun ? `${step}L` : 'M'}${px ?? ''} ${py ?? ''}`;
    }
    hasBegun = place !== undefined;
  }
  return path;
}

/** Thin upright lines; what is beyond the axis is not drawn. */
function intervals(
  { x: places, y: means, halfWidths = [] }: ChartSeries,
  color: string,
  { x, y }: { x: Scale; y: Scale },
): string {
  const lines = halfWidths.flatMap((half, i) => {
    const [at, mean] = [places[i], means[i]];
    if (at === undefined || typeof mean !== 'number' || half === null) return [];
    const ends = [mean + half, mean - half].map((v) => Math.min(Math.max(v, y.low), y.high));
    const [top, bottom] = ends.map((v) => fixed(y.at(v)));
    return [`M${fixed(x.at(at))} ${top ?? ''}V${bottom ?? ''}`];
  });
  return lines.length === 0 ? '' : `<path d="${lines.join('')}" stroke="${color}" opacity="0.6"/>`;
}

function strokeOf({ kind }: ChartSeries, index: number) {
  if (kind === 'reference') return { color: NEUTRAL, dash: ' stroke-dasharray="6 4"', width: 1.5 };
  return { color: seriesColor(index).picture, dash: '', width: 2 };
}

function legend(series: readonly ChartSeries[]): string {
  let left: number = BOX.left;
  return series
    .map((one, i) => {
      const { color } = strokeOf(one, i);
      const x = left;
      left += 48 + one.name.length * 7;
      return (
        `<rect x="${x}" y="8" width="22" height="4" rx="2" fill="${color}"/>` +
        text(one.name, { x: x + 28, y: 14, anchor: 'start' })
      );
    })
    .join('');
}

interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly weight?: string;
  readonly size?: number;
  readonly turned?: boolean;
}

function text(content: string, style: TextStyle): string {
  const { x, y, anchor = 'middle', weight, size, turned } = style;
  const more =
    (weight === undefined ? '' : ` font-weight="${weight}"`) +
    (size === undefined ? '' : ` style="font-size:${size}px"`) +
    (turned === true ? ` transform="rotate(-90 ${fixed(x)} ${fixed(y)})"` : '');
  const at = `x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}"`;
  return `<text ${at}${more}>${escapeXml(content)}</text>`;
}

function line(from: readonly number[], to: readonly number[], opacity: number): string {
  const [x1, y1, x2, y2] = [...from, ...to].map(fixed);
  return `<line x1="${x1 ?? ''}" y1="${y1 ?? ''}" x2="${x2 ?? ''}" y2="${y2 ?? ''}" stroke="${NEUTRAL}" opacity="${opacity}"/>`;
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);

function number(value: number): string {
  const [unit, suffix] = value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, ''];
  return `${Number((value / unit).toPrecision(4))}${suffix}`;
}

const escapeXml = (value: string): string =>
  value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
