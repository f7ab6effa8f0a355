import { EFFORT } from './effort';

/**
 * Chooses items until each pair of values of two axes that any item has is among the chosen; all items when
 * HPCC_EFFORT is greater than 1. Faults of combinations are nearly always those of two features.
 */
export function coveringPairs<Item extends object>(items: readonly Item[]): readonly Item[] {
  if (EFFORT > 1) return items;
  const missing = new Set(items.flatMap(pairsOf));
  const left = new Map(items.map((item) => [item, pairsOf(item)]));
  const chosen = new Set<Item>();
  while (missing.size > 0) {
    const news = [...left].map(([item, pairs]) => [item, newIn(pairs, missing)] as const);
    const [best] = news.reduce((most, one) => (one[1] > most[1] ? one : most));
    chosen.add(best);
    for (const pair of left.get(best) ?? []) missing.delete(pair);
    left.delete(best);
  }
  return items.filter((item) => chosen.has(item));
}

const newIn = (pairs: readonly string[], missing: ReadonlySet<string>): number =>
  pairs.filter((pair) => missing.has(pair)).length;

const pairsOf = (item: object): readonly string[] => {
  const values = Object.entries(item).map(([axis, value]) => `${axis}=${String(value)}`);
  return values.flatMap((one, i) => values.slice(i + 1).map((other) => `${one} ${other}`));
};
