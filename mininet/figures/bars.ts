import type { BarDocument } from '../experiment/experiment';
import type { Figures } from './figures';

/** A bar and whether a run has cleared it. */
export interface BarVerdict {
  /** `utilisation >= 0.93`, and the case where there are several. */
  readonly bar: string;
  /** Value of the figure; null when the run has none, which counts as missed. */
  readonly found: number | null;
  readonly isMet: boolean;
}

/** Figures by case. */
export type FiguresByCase = ReadonlyMap<string, Figures>;

/** Holds every bar against every case that it is for. */
export function judge(bars: readonly BarDocument[], cases: FiguresByCase): BarVerdict[] {
  return bars.flatMap((bar) => {
    const names = [...cases.keys()].filter((name) =>
      bar.case === undefined ? name !== bar.relativeTo : name === bar.case,
    );
    return names.map((name) => verdict(bar, name, cases));
  });
}

function verdict(bar: BarDocument, name: string, cases: FiguresByCase): BarVerdict {
  const { figure, atLeast, atMost, relativeTo } = bar;
  const own = cases.get(name)?.[figure] ?? null;
  const other = relativeTo === undefined ? 1 : (cases.get(relativeTo)?.[figure] ?? null);
  const found = own === null || other === null || other === 0 ? null : own / other;
  const isMet = found !== null && found >= (atLeast ?? -Infinity) && found <= (atMost ?? Infinity);
  const limit = atLeast === undefined ? `<= ${atMost ?? ''}` : `>= ${atLeast}`;
  const of = relativeTo === undefined ? '' : ` / ${relativeTo}`;
  const where = cases.size > 1 ? `${name}: ` : '';
  return { bar: `${where}${figure}${of} ${limit}`, found, isMet };
}
