import type { Random } from '../../common/random/random';

/** Something that holds bits: a field, a variable or a parameter. */
export interface Place {
  readonly text: string;
  readonly width: number;
}

/** Below one word, at the ends of words, and beyond what any number of JavaScript holds. */
const WIDTHS = [1, 3, 7, 8, 9, 13, 16, 24, 31, 32, 33, 40, 48, 52, 53, 63, 64, 65, 96, 128];

export const anyWidth = (random: Random): number => pick(random, WIDTHS);

export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[random.below(list.length)];
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}

const OPERATORS = ['+', '-', '*', '&', '|', '^', '|+|', '|-|'] as const;
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;

/** An expression of type bit<width> over these places. */
export function expression(
  random: Random,
  places: readonly Place[],
  { width, depth }: { readonly width: number; readonly depth: number },
): string {
  if (depth === 0) return leaf(random, places, width);
  const inner = { width, depth: depth - 1 };
  const sub = (): string => expression(random, places, inner);
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return `(${sub()} ${pick(random, OPERATORS)} ${sub()})`;
    case 3:
      return `(~${sub()})`;
    case 4:
      return `(${sub()} ${pick(random, ['<<', '>>'])} ${expression(random, places, { width: 8, depth: 0 })})`;
    case 5:
      return `(${condition(random, places, depth - 1)} ? ${sub()} : ${sub()})`;
    case 6: {
      if (width < 2) return sub();
      const low = 1 + random.below(width - 1);
      const part = (bits: number): string =>
        expression(random, places, { width: bits, depth: depth - 1 });
      return `(${part(width - low)} ++ ${part(low)})`;
    }
    default:
      return leaf(random, places, width);
  }
}

export function condition(random: Random, places: readonly Place[], depth: number): string {
  const { width } = pick(random, places);
  const side = (): string => expression(random, places, { width, depth: Math.max(0, depth) });
  const compared = `${side()} ${pick(random, COMPARISONS)} ${side()}`;
  if (depth > 0 && random.below(3) === 0) {
    return `(${compared} ${pick(random, ['&&', '||'])} ${condition(random, places, depth - 1)})`;
  }
  return random.below(6) === 0 ? `(!(${compared}))` : `(${compared})`;
}

function leaf(random: Random, places: readonly Place[], width: number): string {
  if (random.below(4) === 0) return constant(random, width);
  const { text, width: has } = pick(random, places);
  if (has === width) return text;
  if (has < width || random.below(2) === 0) return `((bit<${width}>)${text})`;
  const low = random.below(has - width + 1);
  return `${text}[${low + width - 1}:${low}]`;
}

export function constant(random: Random, width: number): string {
  const value = [
    0n,
    1n,
    (1n << BigInt(width)) - 1n,
    1n << BigInt(width - 1),
    BigInt.asUintN(width, BigInt(random.below(2 ** 31)) * 0x1_2345_6789_abcdn),
  ];
  return `${width}w${pick(random, value)}`;
}
