import { code, operand } from '../text/code';
import { toBigint, toLowWord, toPair } from './convert';
import {
  highOf,
  lowOf,
  unsignedWidths,
  bigint,
  constantOf,
  int32,
  isInt32,
  isSafe,
  isWord,
  literal,
  pair,
  ranged,
  unsigned,
} from './value';
import { PAIR_BITS, WORD_BITS } from '../layout/representation';
import type { Operands, NumberValue, PairValue, Value } from './value';
import type { Scope } from './scope';

export function shiftLeft({ left, right, bits }: Operands, scope: Scope): Value {
  const count = constantOf(right);
  if (count === undefined) {
    if (bits <= WORD_BITS && right.kind === 'number') {
      return unsigned(code`shiftLeftWord(${toLowWord(left).code}, ${right.code})`, WORD_BITS);
    }
    return bigint(code`shiftLeft(${toBigint(left)}, ${toBigint(right)})`);
  }
  if (count < 0 || count >= bits) return literal(0);
  const factor = 2 ** count;
  const fits = isSafe(lowOf(left) * factor) && isSafe(highOf(left) * factor);
  if (left.kind === 'number' && fits) {
    const text = code`${operand(left.code)} * ${factor}`;
    return ranged(text, left.low * factor, left.high * factor);
  }
  if (bits <= WORD_BITS) return int32(code`${operand(toLowWord(left).code)} << ${count}`);
  const [width] = unsignedWidths(left, left);
  if (bits > PAIR_BITS && width + count > PAIR_BITS) {
    return bigint(code`shiftLeft(${toBigint(left)}, ${BigInt(count)})`);
  }
  return shiftPairLeft(toPair(left, scope), count, scope);
}

function shiftPairLeft(value: PairValue, count: number, scope: Scope): Value {
  const [high, low] = [operand(value.high), operand(value.low)];
  const width = Math.min(PAIR_BITS, value.width + count);
  if (count === 0) return value;
  if (count >= WORD_BITS) {
    return pair(scope.keep(code`${low} << ${count - WORD_BITS} >>> 0`, 'high'), code`0`, width);
  }
  const upper = code`(${high} << ${count} | ${low} >>> ${WORD_BITS - count}) >>> 0`;
  return pair(scope.keep(upper, 'high'), scope.keep(code`${low} << ${count} >>> 0`, 'low'), width);
}

export function shiftRight({ left, right, bits }: Operands, scope: Scope): Value {
  const count = constantOf(right);
  if (count === undefined) {
    if (left.kind === 'number' && right.kind === 'number') {
      const text = code`shiftRightNumber(${left.code}, ${right.code})`;
      return ranged(text, Math.min(left.low, 0), Math.max(left.high, 0));
    }
    return bigint(code`shiftRight(${toBigint(left)}, ${toBigint(right)})`);
  }
  if (count < 0) return literal(0);
  if (count === 0) return left;
  if (left.kind === 'number') return shiftNumberRight(left, count);
  if (left.kind === 'pair') return shiftPairRight(left, { count, bits }, scope);
  return bigint(code`shiftRight(${left.code}, ${BigInt(count)})`);
}

function shiftNumberRight(value: NumberValue, count: number): Value {
  const text = operand(value.code);
  const low = shiftBound(value.low, count);
  const high = shiftBound(value.high, count);
  if (isWord(value)) {
    return count >= WORD_BITS ? literal(0) : ranged(code`${text} >>> ${count}`, low, high);
  }
  if (isInt32(value)) return ranged(code`${text} >> ${Math.min(count, 31)}`, low, high);
  const shifted =
    count > 53 ? code`${text} < 0 ? -1 : 0` : code`Math.floor(${text} / ${2 ** count})`;
  return ranged(shifted, low, high);
}

function shiftBound(bound: number, count: number): number {
  if (count > 53) return bound < 0 ? -1 : 0;
  return Math.floor(bound / 2 ** count);
}

function shiftPairRight(
  value: PairValue,
  { count, bits }: { readonly count: number; readonly bits: number },
  scope: Scope,
): Value {
  const [high, low] = [operand(value.high), operand(value.low)];
  if (count >= PAIR_BITS) return literal(0);
  if (count === WORD_BITS) return unsigned(value.high, WORD_BITS);
  if (count > WORD_BITS) {
    return unsigned(code`${high} >>> ${count - WORD_BITS}`, PAIR_BITS - count);
  }
  if (bits + count <= WORD_BITS) return unsigned(code`${low} >>> ${count}`, WORD_BITS - count);
  const lower = code`${low} >>> ${count} | ${high} << ${WORD_BITS - count}`;
  if (bits <= WORD_BITS) return int32(lower);
  const shifted = scope.keep(code`(${lower}) >>> 0`, 'low');
  return pair(scope.keep(code`${high} >>> ${count}`, 'high'), shifted, value.width - count);
}
