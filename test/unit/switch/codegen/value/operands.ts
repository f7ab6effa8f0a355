import { code } from '../../../../../switch/codegen/text/code';
import { bigint, constant, pair, ranged } from '../../../../../switch/codegen/value/value';
import type { Identifier } from '../../../../../switch/codegen/text/code';
import type { Value } from '../../../../../switch/codegen/value/value';

/** Operand of an expression: a value as the generator knows it, and numbers that it may be. */
export interface Operand {
  readonly name: string;
  readonly numbers: readonly bigint[];
  readonly value: (name: Identifier) => Value;
  /** Values of the variables `x`, `x_high` and `x_low` for a number. */
  readonly parts: (number: bigint) => readonly unknown[];
}

const word = (number: bigint, shift: bigint): number => Number((number >> shift) & 0xffffffffn);

/** A variable between two bounds; a compound one is no variable by itself. */
function between(low: number, high: number, compound = false): Operand {
  const [least, most] = [BigInt(low), BigInt(high)];
  const inside = [least, most, least + 1n, most - 1n, 0n, 1n, -1n, most / 3n, 0x80000000n, 5n];
  return {
    name: `${low} to ${high}${compound ? ', compound' : ''}`,
    numbers: [...new Set(inside)].filter((number) => number >= least && number <= most),
    value: (name) => ranged(compound ? code`${name} + 0` : code`${name}`, low, high),
    parts: (number) => [Number(number), undefined, undefined],
  };
}

function ofPair(width: number): Operand {
  const most = (1n << BigInt(width)) - 1n;
  const numbers = [0n, 1n, 0xffffffffn, 0x100000000n, 0x180000000n, most / 3n, most - 1n, most];
  return {
    name: `pair of ${width} bits`,
    numbers: [...new Set(numbers)].filter((number) => number <= most),
    value: (name) => pair(code`${name}_high`, code`${name}_low`, width),
    parts: (number) => [undefined, word(number, 32n), word(number, 0n)],
  };
}

function ofBigint(compound = false): Operand {
  return {
    name: `bigint${compound ? ', compound' : ''}`,
    numbers: [0n, -1n, 1n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 100n / 3n, -(2n ** 70n) + 12345n],
    value: (name) => bigint(compound ? code`${name} + 0n` : code`${name}`),
    parts: (number) => [number, undefined, undefined],
  };
}

const ofConstant = (number: bigint): Operand => ({
  name: `constant ${number}`,
  numbers: [number],
  value: () => constant(number),
  parts: () => [undefined, undefined, undefined],
});

const largest = (width: number): number => 2 ** width - 1;

/** Ends of words, of JavaScript's whole numbers, and of pairs. */
export const VARIABLES: readonly Operand[] = [
  between(0, 1),
  between(0, largest(8)),
  between(0, largest(31)),
  between(0, largest(32)),
  between(0, largest(32), true),
  between(0, largest(33)),
  between(0, largest(52)),
  between(0, largest(53)),
  between(-1, 0),
  between(-(2 ** 31), 2 ** 31 - 1),
  between(-(2 ** 31), 2 ** 31 - 1, true),
  between(-(2 ** 31) - 1, 2 ** 31),
  between(-largest(53), largest(53)),
  ofPair(33),
  ofPair(53),
  ofPair(64),
  ofBigint(),
  ofBigint(true),
];

/** Numbers that a program says, counts of shifts and masks among them. */
export const CONSTANTS: readonly Operand[] = [
  0n,
  1n,
  -1n,
  3n,
  31n,
  32n,
  33n,
  53n,
  54n,
  63n,
  64n,
  65n,
  100n,
  0xffn,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 33n - 1n,
  2n ** 53n - 1n,
  2n ** 53n,
  0xffffffff00000001n,
  2n ** 63n,
  2n ** 64n - 1n,
  2n ** 64n,
  -(2n ** 40n),
  -(2n ** 64n),
].map(ofConstant);

/** A count of a shift, or a divisor. */
export const SMALL: Operand = between(0, 100);
