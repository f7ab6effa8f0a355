import { code, operand } from '../text/code';
import { NUMBER_BITS, PAIR_BITS, WORD_BITS } from '../layout/representation';
import { bigint, bitLength, int32, isInt32, isSafe, isWord, literal, pair, ranged } from './value';
import { constantOf, unsigned } from './value';
import type { Code } from '../text/code';
import type { Scope } from './scope';
import type { NumberValue, PairValue, Value } from './value';

/** Conversions between representations, and into the ranges of fields. */

export function toBigint(value: Value): Code {
  switch (value.kind) {
    case 'number':
      return value.low === value.high ? code`${BigInt(value.low)}` : code`BigInt(${value.code})`;
    case 'pair':
      return code`pairToBigint(${value.high}, ${value.low})`;
    case 'bigint':
      return value.code;
  }
}

/** As a JavaScript number; what is too large becomes some number that is no less too large. */
export function toIndex(value: Value): Code {
  switch (value.kind) {
    case 'number':
      return value.code;
    case 'pair':
      return code`${operand(value.high)} * 4294967296 + ${operand(value.low)}`;
    case 'bigint':
      return code`Number(${value.code})`;
  }
}

/** The low 64 bits as a pair. */
export function toPair(value: Value, scope: Scope): PairValue {
  switch (value.kind) {
    case 'number':
      return numberToPair(value, scope);
    case 'pair':
      return value;
    case 'bigint': {
      const kept = scope.bind(value.code);
      return pair(scope.keep(code`highWord(${kept})`), scope.keep(code`lowWord(${kept})`));
    }
  }
}

function numberToPair(value: NumberValue, scope: Scope): PairValue {
  if (value.low === value.high) {
    const bits = BigInt.asUintN(64, BigInt(value.low));
    const width = value.low < 0 ? PAIR_BITS : bitLength(value.high);
    return pair(code`${Number(bits >> 32n)}`, code`${Number(bits & 0xffffffffn)}`, width);
  }
  const kept = scope.bind(value.code);
  if (isWord(value)) return pair(code`0`, kept, bitLength(value.high));
  const floor = code`Math.floor(${kept} / 4294967296)`;
  const low = scope.keep(code`${kept} >>> 0`);
  if (value.low >= 0) return pair(scope.keep(floor), low, bitLength(value.high));
  return pair(scope.keep(code`${floor} >>> 0`), low);
}

/** The low 32 bits as an int32 or a word, whichever costs nothing more. */
export function toLowWord(value: Value): NumberValue {
  switch (value.kind) {
    case 'number':
      if (isWord(value) || isInt32(value)) return value;
      return int32(code`${operand(value.code)} | 0`);
    case 'pair':
      return unsigned(value.low, WORD_BITS);
    case 'bigint':
      return unsigned(code`lowWord(${value.code})`, WORD_BITS);
  }
}

/** The low `width` bits, from 0 to 2^width-1. */
export function wrapUnsigned(value: Value, width: number, scope: Scope): Value {
  if (width <= WORD_BITS) return wrapToWord(value, width);
  if (width <= NUMBER_BITS) return wrapToNumber(value, width);
  if (width <= PAIR_BITS) return wrapToPair(value, width, scope);
  return bigint(code`BigInt.asUintN(${width}, ${toBigint(value)})`);
}

function wrapToWord(value: Value, width: number): Value {
  const largest = 2 ** width - 1;
  if (value.kind === 'number' && value.low >= 0 && value.high <= largest) return value;
  const known = constantOf(value);
  if (known !== undefined) return literal(Number(BigInt.asUintN(width, BigInt(known))));
  const low = value.kind === 'number' ? value : toLowWord(value);
  if (width < WORD_BITS) return unsigned(code`${operand(low.code)} & ${largest}`, width);
  return isWord(low) ? low : unsigned(code`${operand(low.code)} >>> 0`, width);
}

function wrapToNumber(value: Value, width: number): Value {
  const modulus = 2 ** width;
  switch (value.kind) {
    case 'number':
      if (value.low >= 0 && value.high < modulus) return value;
      return unsigned(code`wrapNumber(${value.code}, ${modulus})`, width);
    case 'pair': {
      const high = maskedHigh(value, width);
      return unsigned(code`${operand(high)} * 4294967296 + ${operand(value.low)}`, width);
    }
    case 'bigint':
      return unsigned(code`Number(BigInt.asUintN(${width}, ${value.code}))`, width);
  }
}

function wrapToPair(value: Value, width: number, scope: Scope): PairValue {
  const wide = toPair(value, scope);
  return pair(maskedHigh(wide, width), wide.low, Math.min(wide.width, width));
}

function maskedHigh(value: PairValue, width: number): Code {
  if (value.width <= width || width >= PAIR_BITS) return value.high;
  return code`${operand(value.high)} & ${2 ** (width - WORD_BITS) - 1}`;
}

/** The low `width` bits as a two's complement number. */
export function wrapSigned(value: Value, width: number, scope: Scope): Value {
  if (width === 0) return literal(0);
  const half = 2 ** (width - 1);
  if (value.kind === 'number' && value.low >= -half && value.high < half) return value;
  if (width > NUMBER_BITS) {
    return bigint(code`BigInt.asIntN(${width}, ${toBigint(value)})`);
  }
  if (width > WORD_BITS) {
    const wrapped = toIndex(wrapUnsigned(value, width, scope));
    return ranged(code`toSigned(${wrapped}, ${2 ** width})`, -half, half - 1);
  }
  const low = operand(toLowWord(value).code);
  const shift = WORD_BITS - width;
  const text = shift === 0 ? code`${low} | 0` : code`${low} << ${shift} >> ${shift}`;
  return ranged(text, -half, half - 1);
}

/** The nearest number between two bounds. */
export function clamp(value: Value, low: bigint, high: bigint, scope: Scope): Value {
  if (value.kind !== 'number') return clampWide(value, { low, high }, scope);
  // Bounds beyond the safe integers cannot bind a number.
  const least = Math.max(Number(low), -Number.MAX_SAFE_INTEGER);
  const most = Math.min(Number(high), Number.MAX_SAFE_INTEGER);
  if (value.low >= least && value.high <= most) return value;
  return ranged(code`clampNumber(${value.code}, ${least}, ${most})`, least, most);
}

function clampWide(value: Value, bounds: { low: bigint; high: bigint }, scope: Scope): Value {
  const { low, high } = bounds;
  if (value.kind === 'pair' && low <= 0n && high >= (1n << BigInt(value.width)) - 1n) return value;
  const clamped = code`clampBigint(${toBigint(value)}, ${low}, ${high})`;
  if (!isSafe(Number(low)) || !isSafe(Number(high))) return bigint(scope.keep(clamped));
  return ranged(code`Number(${clamped})`, Number(low), Number(high));
}

/** Code that is true if the value differs from 0. */
export function toBoolean(value: Value): Code {
  switch (value.kind) {
    case 'number':
      return value.condition ?? code`${operand(value.code)} !== 0`;
    case 'pair':
      return code`(${operand(value.high)} | ${operand(value.low)}) !== 0`;
    case 'bigint':
      return code`${operand(value.code)} !== 0n`;
  }
}
