import { InputError } from '../../common/errors';
import { axesOf } from './study-document';
import type { AxisDocument, AxisEntry, StudyDocument } from './study-document';

/** One value on one axis. */
export interface Coordinate {
  readonly path: string;
  readonly value: unknown;
  /** Name in tables. */
  readonly label: string;
}

/** A place in the grid: a value per axis, in the order of the document. */
export type GridPoint = readonly Coordinate[];

/** Points of one entry of the axes: of one axis, or of several that go together. */
export function pointsOf(entry: AxisEntry): GridPoint[] {
  const axes = axesOf(entry).map(coordinatesOf);
  const [first = []] = axes;
  if (axes.some(({ length }) => length !== first.length)) {
    const lengths = axes.map(({ length }) => length).join(', ');
    throw new InputError(`axes that are zipped must have as many values, and have ${lengths}`);
  }
  return first.map((_, i) => axes.map((axis) => axis[i] as Coordinate));
}

function coordinatesOf({ path, values, range, labels }: AxisDocument): Coordinate[] {
  const all = values ?? (range === undefined ? [] : rangeValues(range));
  return all.map((value, i) => ({ path, value, label: labels?.[i] ?? labelOf(value) }));
}

const labelOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Decimal fractions as people write them: 0.1 + 0.2 is 0.3. */
const DIGITS = 12;

function rangeValues({ from, to, step, count }: NonNullable<AxisDocument['range']>): number[] {
  const width = step ?? (to - from) / ((count ?? 2) - 1);
  const steps = count === undefined ? Math.floor((to - from) / width + 1e-9) : count - 1;
  return Array.from({ length: steps + 1 }, (_, i) =>
    Number((from + i * width).toPrecision(DIGITS)),
  );
}

/** Seeds of every point. */
export function seedsOf({ seeds }: StudyDocument): number[] {
  if (Array.isArray(seeds)) return [...new Set(seeds)];
  const { from, count } = typeof seeds === 'number' ? { from: 1, count: seeds } : seeds;
  return Array.from({ length: count }, (_, i) => from + i);
}

/** Cells that the grid has, without making them. */
export function gridSize(study: StudyDocument): number {
  return sizeOf(study.axes.map(pointsOf)) * seedsOf(study).length;
}

/** All points, the last axis fastest. */
export function* gridPoints(study: StudyDocument): Generator<GridPoint> {
  const axes = study.axes.map(pointsOf);
  const size = sizeOf(axes);
  for (let index = 0; index < size; index++) yield pointOf(axes, index);
}

/** One of them by its place in that order; undefined beyond the last. */
export function gridPointAt(study: StudyDocument, index: number): GridPoint | undefined {
  const axes = study.axes.map(pointsOf);
  return index < sizeOf(axes) ? pointOf(axes, index) : undefined;
}

const sizeOf = (axes: readonly GridPoint[][]): number =>
  axes.reduce((product, { length }) => product * length, 1);

/** Digits of the index, each in the base of its axis. */
function pointOf(axes: readonly GridPoint[][], index: number): GridPoint {
  let rest = index;
  return axes.reduceRight((point: GridPoint, axis) => {
    const here = axis[rest % axis.length] ?? [];
    rest = Math.floor(rest / axis.length);
    return [...here, ...point];
  }, []);
}

/**
 * A document with another value in one place; the original is left alone.
 * @throws InputError where the way leads through something that has no such part.
 */
export function withValue(document: unknown, path: string, value: unknown): unknown {
  const [key = '', ...rest] = path.split('.');
  if (Array.isArray(document)) return withElement(document, key, rest, value);
  if (typeof document !== 'object' && document !== undefined) {
    throw new InputError(`no part '${key}' in ${JSON.stringify(document)}`);
  }
  const part = (document as Record<string, unknown> | null | undefined)?.[key];
  return { ...document, [key]: rest.length === 0 ? value : withValue(part, rest.join('.'), value) };
}

function withElement(list: readonly unknown[], key: string, rest: string[], value: unknown) {
  const index = /^\d+$/.test(key) ? Number(key) : NaN;
  if (!(index < list.length)) {
    throw new InputError(`no element '${key}' in a list of ${list.length}`);
  }
  const changed = rest.length === 0 ? value : withValue(list[index], rest.join('.'), value);
  return list.map((element, i) => (i === index ? changed : element));
}
