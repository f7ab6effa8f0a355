/** Points of a line by ascending x; null parts it. */
export interface DrawnLine {
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** True if each value holds until the next point. */
  readonly isStepped?: boolean;
}

/** Size of a picture, and the values at its edges. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Lowest and highest pixel that a line touches in a column. */
type Column = { low: number; high: number } | undefined;

/** The columns of a line as a renderer fills them, in fractions of pixels. */
function columnsOf({ x, y, isStepped = false }: DrawnLine, picture: Picture): Column[] {
  const columns: Column[] = Array.from({ length: picture.width + 1 }, () => undefined);
  const across = (value: number): number =>
    ((value - picture.x[0]) / (picture.x[1] - picture.x[0])) * picture.width;
  const up = (value: number): number =>
    ((value - picture.y[0]) / (picture.y[1] - picture.y[0])) * picture.height;
  const touch = (column: number, height: number): void => {
    const known = columns[column];
    if (column < 0 || column > picture.width) return;
    if (known === undefined) columns[column] = { low: height, high: height };
    else [known.low, known.high] = [Math.min(known.low, height), Math.max(known.high, height)];
  };
  const stroke = (x0: number, y0: number, x1: number, y1: number): void => {
    touch(Math.floor(x0), y0);
    touch(Math.floor(x1), y1);
    for (let column = Math.floor(x0) + 1; column <= x1; column++) {
      const height = y0 + ((y1 - y0) * (column - x0)) / (x1 - x0);
      touch(column - 1, height);
      touch(column, height);
    }
  };
  x.forEach((at, i) => {
    const [value, next] = [y[i] ?? null, y[i + 1] ?? null];
    if (value === null) return;
    touch(Math.floor(across(at)), up(value));
    if (next === null) return;
    const to = across(x[i + 1] as number);
    stroke(across(at), up(value), to, up(isStepped ? value : next));
    if (isStepped) stroke(to, up(value), to, up(next));
  });
  return columns;
}

/**
 * Columns in which one line leaves the pixels of the other by more than one, to either side or up and
 * down; empty where both make the same picture.
 */
export function differingColumns(one: DrawnLine, other: DrawnLine, picture: Picture): number[] {
  const [a, b] = [columnsOf(one, picture), columnsOf(other, picture)];
  return a.flatMap((_, i) => (isWithin(a, b, i) && isWithin(b, a, i) ? [] : [i]));
}

function isWithin(inner: readonly Column[], outer: readonly Column[], i: number): boolean {
  const column = inner[i];
  if (column === undefined) return true;
  const near = [outer[i - 1], outer[i], outer[i + 1]].filter((each) => each !== undefined);
  if (near.length === 0) return false;
  const low = Math.min(...near.map((each) => each.low)) - 1;
  const high = Math.max(...near.map((each) => each.high)) + 1;
  return column.low >= low && column.high <= high;
}
