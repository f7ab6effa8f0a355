import { assert } from '../../../common/assert';
import { code, joined, operand } from '../text/code';
import { representationOf } from '../layout/representation';
import type { Code } from '../text/code';

/**
 * Value of an expression in generated code. The bounds of a number are known when generating, so
 * the generator knows where arithmetic stays exact.
 */
export type Value = NumberValue | PairValue | BigintValue;

/** An integer from `low` to `high`, both of at most 2^53-1 in magnitude. */
export interface NumberValue {
  readonly kind: 'number';
  readonly code: Code;
  readonly low: number;
  readonly high: number;
  /** For 1 and 0 that stand for a condition: the condition. */
  readonly condition?: Code;
}

/** An unsigned integer below 2^width as two words; both are cheap to evaluate twice. */
export interface PairValue {
  readonly kind: 'pair';
  readonly high: Code;
  readonly low: Code;
  readonly width: number;
}

interface BigintValue {
  readonly kind: 'bigint';
  readonly code: Code;
}

const LARGEST_WORD = 2 ** 32 - 1;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

export function constant(value: bigint): Value {
  if (value >= -LARGEST && value <= LARGEST) return literal(Number(value));
  if (value < 0n || value >= 1n << 64n) return { kind: 'bigint', code: code`${value}` };
  const high = code`${Number(value >> 32n)}`;
  return { kind: 'pair', high, low: code`${Number(value & 0xffffffffn)}`, width: 64 };
}

export function literal(value: number): NumberValue {
  return { kind: 'number', code: code`${value}`, low: value, high: value };
}

/** An unsigned number of that width. */
export function unsigned(text: Code, width: number): NumberValue {
  return { kind: 'number', code: text, low: 0, high: 2 ** width - 1 };
}

/** The result of JavaScript's bit operators. */
export function int32(text: Code): NumberValue {
  return { kind: 'number', code: text, low: -(2 ** 31), high: 2 ** 31 - 1 };
}

/** 1 or 0. */
export function truth(condition: Code): NumberValue {
  if (condition.text === 'true') return literal(1);
  if (condition.text === 'false') return literal(0);
  return { kind: 'number', code: code`${operand(condition)} ? 1 : 0`, low: 0, high: 1, condition };
}

export function ranged(text: Code, low: number, high: number): NumberValue {
  return { kind: 'number', code: text, low, high };
}

export function bigint(text: Code): BigintValue {
  return { kind: 'bigint', code: text };
}

export function pair(high: Code, low: Code, width = 64): PairValue {
  return { kind: 'pair', high: operand(high), low: operand(low), width };
}

export function isSafe(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** The value where it is known when generating. */
export function constantOf(value: Value): number | undefined {
  return value.kind === 'number' && value.low === value.high ? value.low : undefined;
}

export function isWord(value: Value): boolean {
  return value.kind === 'number' && value.low >= 0 && value.high <= LARGEST_WORD;
}

export function isInt32(value: Value): boolean {
  return value.kind === 'number' && value.low >= -(2 ** 31) && value.high < 2 ** 31;
}

/** The code of a value that is no pair. */
export function scalar(value: Value): Code {
  assert(value.kind !== 'pair', 'a value of up to 52 bits is no pair');
  return value.code;
}

/** One parameter, or two for the halves of a pair. */
export function argumentsOf(value: Value): Code {
  return value.kind === 'pair' ? joined([value.high, value.low], ', ') : value.code;
}

/** A value of a given unsigned width by the name of its variable or variables. */
export function named(name: (suffix: '' | '_high' | '_low') => Code, width: number): Value {
  switch (representationOf(width)) {
    case 'word':
    case 'number':
      return unsigned(name(''), width);
    case 'pair':
      return pair(name('_high'), name('_low'), width);
    case 'bigint':
      return bigint(name(''));
  }
}

/** Two operands, and how many low bits of the result matter; Infinity when all do. */
export interface Operands {
  readonly left: Value;
  readonly right: Value;
  readonly bits: number;
}

export function lowOf(value: Value): number {
  return value.kind === 'number' ? value.low : -Infinity;
}

export function highOf(value: Value): number {
  return value.kind === 'number' ? value.high : Infinity;
}

/** Widths of operands as unsigned numbers; Infinity where an operand may be negative. */
export function unsignedWidths(left: Value, right: Value): [number, number] {
  return [unsignedWidth(left), unsignedWidth(right)];
}

function unsignedWidth(value: Value): number {
  if (value.kind === 'pair') return value.width;
  if (value.kind === 'bigint' || value.low < 0) return Infinity;
  return bitLength(value.high);
}

export function nonNegativeWidths(left: Value, right: Value): number[] {
  return unsignedWidths(left, right).filter((width) => width !== Infinity);
}

/** Number of bits that an unsigned number needs, at least 1. */
export function bitLength(value: number): number {
  if (value <= LARGEST_WORD) return Math.max(1, 32 - Math.clz32(value));
  return 32 + bitLength(Math.floor(value / 2 ** 32));
}
