import { figureAt } from './dictionary';
import type { Figure } from './figure';
import { figureText } from './figure-text';
import type { Estimate } from './figure-text';

/** One of several things that are compared, and its figure. */
export interface Contender {
  readonly name: string;
  readonly estimate: Estimate | null | undefined;
}

/** Who is best by a figure. */
export interface Best {
  /** `lowest` or `highest`, of what is counted `fewest` or `most`, and the name of the figure. */
  readonly what: string;
  /** The mean of the best, with its unit. */
  readonly value: string;
  /** The best, and those whose intervals reach its own; `all alike` where those are all. */
  readonly who: string;
}

/**
 * @param namedMax how many are named; the others are counted.
 * @returns undefined for a figure without a better direction, and where fewer than two have it.
 */
export function bestOf(
  path: string,
  contenders: readonly Contender[],
  namedMax = contenders.length,
): Best | undefined {
  const figure = figureAt(path);
  if (figure.better === 'neither') return undefined;
  const sign = figure.better === 'less' ? 1 : -1;
  const known = contenders.flatMap(({ name, estimate }) =>
    estimate === null || estimate === undefined ? [] : [{ name, estimate }],
  );
  const [first, ...rest] = [...known].sort((a, b) => sign * (a.estimate.mean - b.estimate.mean));
  if (first === undefined || rest.length === 0) return undefined;
  const alike = known.filter(({ estimate }) => reaches(estimate, first.estimate));
  return {
    what: `${superlative(figure)} ${figure.name}`,
    value: figureText(figure, first.estimate.mean),
    who: alike.length === known.length ? 'all alike' : namesOf(alike, namedMax),
  };
}

function superlative({ quantity, better }: Figure): string {
  if (quantity === 'count') return better === 'less' ? 'fewest' : 'most';
  return better === 'less' ? 'lowest' : 'highest';
}

function namesOf(alike: readonly Contender[], namedMax: number): string {
  const named = alike.slice(0, namedMax).map(({ name }) => name);
  const more = alike.length - named.length;
  return `${named.join(' and ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** True where two intervals overlap; means without intervals have to be equal. */
const reaches = (one: Estimate, other: Estimate): boolean =>
  Math.abs(one.mean - other.mean) <= (one.halfWidth ?? 0) + (other.halfWidth ?? 0);

/** Who is best by each figure, in one sentence; undefined where none says it. */
export function verdictOfBest(best: readonly Best[]): string | undefined {
  if (best.length === 0) return undefined;
  const text = best.map(({ what, who, value }) => `${what}: ${who} (${value})`).join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
