/** A line of points by ascending x. */
export interface Line {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** The first index whose value is at least `wanted`, or the length. */
export function lowerBound(ascending: readonly number[], wanted: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Value of a line at any x: straight between its points, and as at its nearest end outside of them. */
export function valueAt({ x, y }: Line, at: number): number {
  const behind = lowerBound(x, at);
  if (behind === 0) return y[0] ?? 0;
  if (behind === x.length) return y.at(-1) ?? 0;
  const [x0, x1] = [x[behind - 1] as number, x[behind] as number];
  const [y0, y1] = [y[behind - 1] as number, y[behind] as number];
  return y0 + ((y1 - y0) * (at - x0)) / (x1 - x0);
}

/** The points between two x, with the one before and the one behind, so that a line has its ends. */
export function within({ x, y }: Line, from: number, to: number): Line {
  const first = Math.max(0, lowerBound(x, from) - 1);
  const last = Math.min(x.length, lowerBound(x, to) + 1);
  return { x: x.slice(first, last), y: y.slice(first, last) };
}

/**
 * Thins a line to about `points` points: of every run the first, the lowest, the highest and the last stay,
 * in their order, so that a picture with a column per run is the same, and no peak and no gap is lost.
 */
export function thinned(line: Line, points: number): Line {
  const { x, y } = line;
  const run = Math.ceil(x.length / Math.max(1, Math.floor(points / POINTS_OF_RUN)));
  if (x.length <= Math.max(points, 2)) return line;
  const kept: number[] = [];
  const keep = (i: number): void => {
    if (i > (kept.at(-1) ?? -1)) kept.push(i);
  };
  for (let i = 0; i < x.length; i += run) {
    const end = Math.min(x.length, i + run);
    let [low, high] = [i, i];
    for (let j = i; j < end; j++) {
      if ((y[j] as number) < (y[low] as number)) low = j;
      if ((y[j] as number) > (y[high] as number)) high = j;
    }
    keep(i);
    keep(Math.min(low, high));
    keep(Math.max(low, high));
    keep(end - 1);
  }
  return { x: kept.map((i) => x[i] as number), y: kept.map((i) => y[i] as number) };
}

const POINTS_OF_RUN = 4;

/** A time without the noise of fractions. */
export const micro = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Four significant digits: more than a chart shows. */
export const rounded = (value: number): number => Number(value.toPrecision(4));

/**
 * Upper end of an axis that shows what happens most of the time: a peak that lasts for less than a
 * fortieth of the points and would squash the rest leaves the picture. The highest value otherwise.
 */
export function calmMax(values: readonly number[]): number {
  if (values.length === 0) return 1;
  const sorted = Float64Array.from(values).sort();
  const highest = sorted.at(-1) as number;
  const usual = sorted[Math.floor((sorted.length - 1) * 0.975)] as number;
  return usual > 0 && highest > 2.5 * usual ? 1.4 * usual : highest;
}
