import { figureName } from '../figures/dictionary';
import { samplesWanted } from '../figures/samples';
import { seedWarnings } from '../view/data/warnings';
import { axisNames } from './axis-names';
import { figureNames, grouped } from './table';
import type { FigureRow } from './table';

/** Says which figures of a study say less than they seem to. */
export function studyWarnings(rows: readonly FigureRow[]): string[] {
  if (rows.length === 0) return [];
  const points = [...grouped(rows, pointKey).values()];
  const seeds = leastOf(points.map(({ length }) => length));
  return [...sampleWarnings(points), ...idleAxisWarnings(rows), ...seedWarnings(seeds)];
}

const pointKey = ({ cell }: FigureRow): string =>
  JSON.stringify(cell.point.map(({ label }) => label));

/** Percentiles over flows at points where a run finishes too few of them. */
function sampleWarnings(points: readonly (readonly FigureRow[])[]): string[] {
  const rows = points.flat();
  const names = figureNames(rows).filter((name) => /^(allFlows|flowTotals)\./.test(name));
  return names.flatMap((name) => {
    const percentile = name.split('.').at(-1) ?? '';
    const few = points.filter((point) =>
      point.some(({ finished }) => samplesWanted(percentile, finished ?? Infinity) !== undefined),
    );
    if (few.length === 0) return [];
    const fewest = leastOf(few.flat().map(({ finished }) => finished ?? Infinity));
    const wanted = samplesWanted(percentile, fewest) ?? 0;
    const where =
      few.length === points.length ? 'all points' : `${few.length} of ${points.length} points`;
    return [
      `${figureName(name)}: at ${where} a run has too few finished flows (${fewest}, where ${wanted} are needed); it is about the largest value.`,
    ];
  });
}

/** Axes whose values make no difference beside some value of another axis, as where an algorithm ignores a setting. */
function idleAxisWarnings(rows: readonly FigureRow[]): string[] {
  const axes = rows[0]?.cell.point.map(({ path }) => path) ?? [];
  const names = axisNames(axes);
  return axes.flatMap((_, axis) => {
    const others = axes.flatMap((__, other) => (other === axis ? [] : [other]));
    if (isIdle(rows, axis)) {
      return [`${names[axis] ?? ''} has no effect: every figure is the same for all its values.`];
    }
    return others.flatMap((other) => {
      const values = [...grouped(rows, ({ cell }) => cell.point[other]?.label ?? '')]
        .filter(([, group]) => isIdle(group, axis))
        .map(([label]) => label);
      return values.length === 0
        ? []
        : [
            `${names[axis] ?? ''} has no effect where ${names[other] ?? ''} is ${someOf(values)}: every figure is the same for all its values.`,
          ];
    });
  });
}

/** Values that a sentence names. */
const NAMED_MAX = 5;

function someOf(values: readonly string[]): string {
  const named = values.slice(0, NAMED_MAX).join(', ');
  const more = values.length - NAMED_MAX;
  return more > 0 ? `${named} and ${more} more` : named;
}

/** Studies may have more cells than a call takes arguments. */
const leastOf = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Infinity);

/** True if rows that differ in one axis only have equal figures. */
function isIdle(rows: readonly FigureRow[], axis: number): boolean {
  const sets = grouped(rows, ({ cell }) =>
    JSON.stringify([
      cell.input.seed,
      ...cell.point.map(({ label }, i) => (i === axis ? '' : label)),
    ]),
  );
  const varied = [...sets.values()].filter((set) => set.length > 1);
  if (varied.length === 0) return false;
  return varied.every(
    (set) => new Set(set.map(({ figures }) => JSON.stringify([...figures]))).size === 1,
  );
}
