import { code, operand } from '../text/code';
import {
  bitLength,
  nonNegativeWidths,
  unsignedWidths,
  bigint,
  int32,
  constantOf,
  isInt32,
  isSafe,
  isWord,
  pair,
  ranged,
  scalar,
  unsigned,
} from './value';
import { toBigint, toLowWord, toPair, wrapUnsigned } from './convert';
import { PAIR_BITS, WORD_BITS } from '../layout/representation';
import type { Code } from '../text/code';
import type { Operands, NumberValue, Value } from './value';
import type { Scope } from './scope';

export function conjunction({ left, right, bits }: Operands, scope: Scope): Value {
  const mask = maskWidth(right) ?? maskWidth(left);
  if (mask !== undefined && mask <= PAIR_BITS) {
    return wrapUnsigned(maskWidth(right) === undefined ? right : left, mask, scope);
  }
  const width = Math.min(...nonNegativeWidths(left, right));
  if (Math.min(width, bits) <= WORD_BITS) {
    const text = code`${operand(bitOperand(left).code)} & ${operand(bitOperand(right).code)}`;
    if (width < WORD_BITS) return unsigned(text, width);
    return bits <= WORD_BITS ? int32(text) : unsigned(code`(${text}) >>> 0`, WORD_BITS);
  }
  if (Math.min(width, bits) > PAIR_BITS) {
    return bigint(code`${operand(toBigint(left))} & ${operand(toBigint(right))}`);
  }
  return pairwise('&', { left, right, bits: Math.min(width, PAIR_BITS) }, scope);
}

/** An operand of `&` whose other side is a word: JavaScript takes the low 32 bits by itself. */
function bitOperand(value: Value): NumberValue {
  return value.kind === 'number' ? value : toLowWord(value);
}

export function disjunction(operator: '|' | '^', operands: Operands, scope: Scope): Value {
  const { left, right, bits } = operands;
  if (bits <= WORD_BITS || (isInt32(left) && isInt32(right))) {
    const text = bitwise(operator, toLowWord(left).code, toLowWord(right).code);
    const width = Math.max(...unsignedWidths(left, right));
    return width < WORD_BITS ? unsigned(text, width) : int32(text);
  }
  if (isWord(left) && isWord(right)) {
    const text = bitwise(operator, scalar(left), scalar(right));
    return unsigned(code`(${text}) >>> 0`, WORD_BITS);
  }
  if (bits > PAIR_BITS && Math.max(...unsignedWidths(left, right)) > PAIR_BITS) {
    return bigint(bitwise(operator, toBigint(left), toBigint(right)));
  }
  const width = Math.max(...unsignedWidths(left, right));
  return pairwise(operator, { left, right, bits: Math.min(width, PAIR_BITS) }, scope);
}

/** Both words by themselves; `bits` bounds the width of the result. */
function pairwise(operator: '&' | '|' | '^', { left, right, bits }: Operands, scope: Scope): Value {
  const [x, y] = [toPair(left, scope), toPair(right, scope)];
  const high = scope.keep(code`(${bitwise(operator, x.high, y.high)}) >>> 0`, 'high');
  const low = scope.keep(code`(${bitwise(operator, x.low, y.low)}) >>> 0`, 'low');
  return pair(high, low, bits);
}

function bitwise(operator: '&' | '|' | '^', left: Code, right: Code): Code {
  const [x, y] = [operand(left), operand(right)];
  if (operator === '&') return code`${x} & ${y}`;
  return operator === '|' ? code`${x} | ${y}` : code`${x} ^ ${y}`;
}

/** Complement: -1 - x. */
export function emitComplement(value: Value, bits: number, scope: Scope): Value {
  if (value.kind === 'number' && bits <= WORD_BITS) return int32(code`~${operand(value.code)}`);
  if (value.kind === 'number' && isSafe(-1 - value.high)) {
    return ranged(code`-1 - ${operand(value.code)}`, -1 - value.high, -1 - value.low);
  }
  if (bits > PAIR_BITS) return bigint(code`~${operand(toBigint(value))}`);
  const { high, low } = toPair(value, scope);
  return pair(
    scope.keep(code`~${operand(high)} >>> 0`, 'high'),
    scope.keep(code`~${operand(low)} >>> 0`, 'low'),
  );
}

/** k when the value is the constant 2^k-1. */
function maskWidth(value: Value): number | undefined {
  if (value.kind === 'pair') {
    if (value.low.text !== '4294967295') return undefined;
    const high = Number(value.high.text);
    return Number.isInteger(Math.log2(high + 1)) ? WORD_BITS + Math.log2(high + 1) : undefined;
  }
  const known = constantOf(value);
  if (known === undefined || known <= 0) return undefined;
  const width = bitLength(known);
  return known === 2 ** width - 1 ? width : undefined;
}
