import type { Axis, Chart } from '../data/chart';
import { lowerBound } from '../data/thin';
import { legendOf } from '../picture/legend';
import type { ChartScale } from './chart-scale';
import { colorOf, REFERENCE_COLOR } from './palette';

export const SVG = 'http://www.w3.org/2000/svg';

/** The pointer names a line that is so near, in pixels. */
const NEAR = 24;

/** A point of a line. */
interface PointedAt {
  /** Place of the series in its chart. */
  readonly number: number;
  readonly at: number;
  readonly value: number;
}

/** Place of the pointer, and the lines that are not to be seen. */
interface Pointer {
  readonly at: number;
  /** Pixels from the upper edge. */
  readonly top: number;
  readonly hidden: ReadonlySet<string>;
}

/** The point of the line that passes near the pointer; a chart with one line needs no pointer near it. */
export function nearestPoint(
  chart: Chart,
  scale: ChartScale,
  { at, top, hidden }: Pointer,
): PointedAt | undefined {
  let best: PointedAt | undefined;
  let least = chart.series.length === 1 ? Infinity : NEAR;
  for (const { name, series } of legendOf(chart)) {
    if (hidden.has(name)) continue;
    for (const number of series) {
      const { x = [], y = [], kind, isStepped } = chart.series[number] ?? {};
      const i = indexAt(x, at, kind === 'step' || isStepped === true);
      const value = y[i];
      if (value === null || value === undefined) continue;
      const far = Math.abs(scale.topOf(value) - top);
      if (far > least) continue;
      least = far;
      best = { number, at: x[i] as number, value };
    }
  }
  return best;
}

/** The point at which a step stands, or that is nearest. */
function indexAt(x: readonly number[], at: number, isHeld: boolean): number {
  const behind = lowerBound(x, at);
  if (x[behind] === at) return behind;
  if (isHeld || behind === x.length) return behind - 1;
  const before = x[behind - 1];
  return before !== undefined && at - before < (x[behind] as number) - at ? behind - 1 : behind;
}

/** The place of the pointer, and the point of a line there, in words. */
export function readoutOf(
  { x, y, series }: Chart,
  at: number,
  found: PointedAt | undefined,
): string {
  const place = found?.at ?? at;
  const where = x.categories?.[place] ?? valueText(place, x, found === undefined ? 4 : 6);
  if (found === undefined) return `${x.name ?? x.label}: ${where}`;
  const name = series[found.number]?.name ?? '';
  return `${where}: ${name}, ${y.name ?? y.label} ${valueText(found.value, y, 4)}`;
}

/** A value of an axis with its unit. */
const valueText = (value: number, { unit = '' }: Axis, digits: number): string =>
  `${Number(value.toPrecision(digits))} ${unit}`.trimEnd();

/** One line of a chart alone, to be laid over it. */
export function lineOf(chart: Chart, number: number, scale: ChartScale): SVGPathElement {
  const { x = [], y = [], kind, isStepped } = chart.series[number] ?? {};
  const { left, top } = scale.drawn.rect;
  const isStep = kind === 'step' || isStepped === true;
  let path = '';
  let isOn = false;
  x.forEach((at, i) => {
    const value = y[i];
    if (value === null || value === undefined) {
      isOn = false;
      return;
    }
    const across = (left + scale.shareOf(at) * scale.width).toFixed(1);
    const down = (top + scale.topOf(value)).toFixed(1);
    path += isOn ? `${isStep ? `H${across}V` : `L${across} `}${down}` : `M${across} ${down}`;
    isOn = true;
  });
  const line = document.createElementNS(SVG, 'path');
  const entry = legendOf(chart).find(({ series }) => series.includes(number));
  const color = entry?.isReference === true ? REFERENCE_COLOR : colorOf(entry?.color ?? 0);
  line.setAttribute('d', path);
  line.setAttribute('stroke', color);
  return line;
}
