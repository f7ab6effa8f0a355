import { figureAt } from '../../emulator/figures/dictionary';
import { figureText } from '../../emulator/figures/figure-text';
import type { BarDocument, FigureName } from '../experiment/experiment';
import type { Figures } from './figures';

/** A bar and whether a run has cleared it. */
export interface BarVerdict {
  /** `utilisation at least 93 %`, and the case where there are several. */
  readonly bar: string;
  /** Figure that was found; absent where it is divided by that of another case. */
  readonly figure?: FigureName | undefined;
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

function verdict(document: BarDocument, name: string, cases: FiguresByCase): BarVerdict {
  const { figure, atLeast, atMost, relativeTo } = document;
  const own = cases.get(name)?.[figure] ?? null;
  const other = relativeTo === undefined ? 1 : (cases.get(relativeTo)?.[figure] ?? null);
  const found = own === null || other === null || other === 0 ? null : own / other;
  const isMet = found !== null && found >= (atLeast ?? -Infinity) && found <= (atMost ?? Infinity);
  const where = cases.size > 1 ? `${name}: ` : '';
  const bar = `${where}${wordsOf(document)}`;
  return { bar, ...(relativeTo === undefined && { figure }), found, isMet };
}

/** A bar in the words of the dictionary of figures. */
function wordsOf({ figure: key, atLeast, atMost, relativeTo }: BarDocument): string {
  const figure = figureAt(`mininet.${key}`);
  const limit = atLeast ?? atMost ?? 0;
  const text =
    relativeTo === undefined
      ? withoutZeros(figureText(figure, limit))
      : `${limit} of ${relativeTo}'s`;
  return `${figure.short ?? figure.name} ${atLeast === undefined ? 'at most' : 'at least'} ${text}`;
}

/** A limit is exact: `93.0 %` is 93 %. */
const withoutZeros = (text: string): string =>
  text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');
