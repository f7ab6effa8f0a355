import { figureAt } from '../../figures/dictionary';
import { figureText } from '../../figures/figure-text';
import type { Fact } from './page-data';

/** A run with its value of a figure. */
interface NamedValue {
  readonly name: string;
  readonly value: number | null | undefined;
}

/** A figure of the first of several runs as a tile, with those of the others beside it. */
export function tileOf(path: string, first: NamedValue, others: readonly NamedValue[]): Fact {
  const figure = figureAt(path);
  const text = ({ value }: NamedValue): string => figureText(figure, value);
  const label = `${figure.short ?? figure.name}, ${first.name}`;
  const beside = others.map((each) => `${each.name}: ${text(each)}`).join('; ');
  return beside === '' ? [text(first), label] : [text(first), label, beside];
}
