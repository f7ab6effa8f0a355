import { EFFORT, SEED } from './effort';
import { reportSkipped } from './requires';

/**
 * Takes one in `every` of many cases, at least one of each kind: the first, with HPCC_SEED=n the n-th, and so on.
 * Takes all when HPCC_EFFORT is greater than 1, and where HPCC_UPDATE_GOLDEN makes files anew. A skipped test says how many are left out.
 */
export function sampled<Case>(
  name: string,
  cases: readonly Case[],
  every: number,
  kindOf: (each: Case) => string = () => '',
): readonly Case[] {
  if (EFFORT > 1 || process.env.HPCC_UPDATE_GOLDEN === '1') return cases;
  const kinds = new Map<string, Case[]>();
  for (const each of cases) kinds.set(kindOf(each), [...(kinds.get(kindOf(each)) ?? []), each]);
  const taken = [...kinds.values()].flatMap((kind) => {
    const first = (SEED - 1) % Math.min(every, kind.length);
    return kind.filter((_, i) => i % every === first);
  });
  const left = cases.length - taken.length;
  if (left > 0) reportSkipped(`${left} of ${cases.length} ${name}`, 'HPCC_EFFORT is 1');
  return taken;
}
