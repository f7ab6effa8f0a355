import type { Chart, ChartSeries } from '../data/chart';

/** Lines of a chart that have one name and one colour: a group, or a series without one. */
export interface LegendEntry {
  readonly name: string;
  /** Number of its colour. */
  readonly color: number;
  readonly isReference: boolean;
  /** Places of its series. */
  readonly series: readonly number[];
}

/** A legend with more entries than this names nothing that anybody finds. */
const LEGEND_MAX = 12;

export const isLegible = (entries: readonly unknown[]): boolean => entries.length <= LEGEND_MAX;

export const entryName = ({ group, name }: ChartSeries): string => group ?? name;

/** Entries in the order of their first series; references, which are grey, use up no colour. */
export function legendOf({ series }: Chart): LegendEntry[] {
  const places = new Map<string, number[]>();
  series.forEach((one, i) => {
    const known = places.get(entryName(one));
    if (known === undefined) places.set(entryName(one), [i]);
    else known.push(i);
  });
  let colors = 0;
  return [...places].map(([name, numbers]) => {
    const isReference = numbers.every((i) => series[i]?.kind === 'reference');
    return { name, color: isReference ? 0 : colors++, isReference, series: numbers };
  });
}
