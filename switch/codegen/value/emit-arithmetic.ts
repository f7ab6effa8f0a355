import { unreachable } from '../../../common/assert';
import { code, operand } from '../text/code';
import { toBigint, toLowWord, toPair } from './convert';
import { conjunction, disjunction } from './emit-bitwise';
import { shiftLeft, shiftRight } from './emit-shift';
import { highOf, lowOf, unsignedWidths, bigint, int32, isSafe, pair, ranged } from './value';
import { PAIR_BITS, WORD_BITS } from '../layout/representation';
import type { ArithmeticOperator } from '../../ir/expressions';
import type { Code } from '../text/code';
import type { Operands, PairValue, Value } from './value';
import type { Scope } from './scope';

/**
 * An operation on unbounded integers. The result agrees with the true one in the low `bits` bits;
 * so numbers and pairs serve wherever the program masks what it computes, as P4 makes it.
 */
export function emitArithmetic(
  operator: ArithmeticOperator,
  operands: Operands,
  scope: Scope,
): Value {
  switch (operator) {
    case '+':
      return sum(operands, scope);
    case '-':
      return difference(operands, scope);
    case '*':
      return product(operands, scope);
    case '/':
    case '%':
      return quotient(operator, operands);
    case '<<':
      return shiftLeft(operands, scope);
    case '>>':
      return shiftRight(operands, scope);
    case '&':
      return conjunction(operands, scope);
    case '|':
    case '^':
      return disjunction(operator, operands, scope);
    default:
      return unreachable(operator);
  }
}

function sum({ left, right, bits }: Operands, scope: Scope): Value {
  const [low, high] = [lowOf(left) + lowOf(right), highOf(left) + highOf(right)];
  if (left.kind === 'number' && right.kind === 'number' && isSafe(low) && isSafe(high)) {
    return ranged(code`${operand(left.code)} + ${operand(right.code)}`, low, high);
  }
  if (bits <= WORD_BITS) return addWords('+', left, right);
  const [a, b] = unsignedWidths(left, right);
  if (bits > PAIR_BITS && Math.max(a, b) >= PAIR_BITS) {
    return bigint(code`${operand(toBigint(left))} + ${operand(toBigint(right))}`);
  }
  const [x, y] = [toPair(left, scope), toPair(right, scope)];
  const lowSum = scope.keep(code`${operand(x.low)} + ${operand(y.low)}`, 'sum');
  const highSum = addHigh(x.high, y.high);
  const carried = scope.keep(code`carry(${highSum}, ${lowSum})`, 'high');
  const width = Math.min(PAIR_BITS, Math.max(a, b) + 1);
  return pair(carried, scope.keep(code`${lowSum} >>> 0`, 'low'), width);
}

/** PERF: most numbers that are added to a pair have no high word. */
function addHigh(left: Code, right: Code): Code {
  if (right.text === '0') return left;
  return left.text === '0' ? right : code`${operand(left)} + ${operand(right)}`;
}

function difference({ left, right, bits }: Operands, scope: Scope): Value {
  const [low, high] = [lowOf(left) - highOf(right), highOf(left) - lowOf(right)];
  if (left.kind === 'number' && right.kind === 'number' && isSafe(low) && isSafe(high)) {
    return ranged(code`${operand(left.code)} - ${operand(right.code)}`, low, high);
  }
  if (bits <= WORD_BITS) return addWords('-', left, right);
  if (bits > PAIR_BITS) {
    return bigint(code`${operand(toBigint(left))} - ${operand(toBigint(right))}`);
  }
  const [x, y] = [toPair(left, scope), toPair(right, scope)];
  const lowPart = scope.keep(code`${operand(x.low)} - ${operand(y.low)}`, 'difference');
  const highPart = code`${operand(x.high)} - ${operand(y.high)}`;
  const borrowed = scope.keep(code`borrow(${highPart}, ${lowPart})`, 'high');
  return pair(borrowed, scope.keep(code`${lowPart} >>> 0`, 'low'));
}

function addWords(operator: '+' | '-', left: Value, right: Value): Value {
  const [x, y] = [operand(toLowWord(left).code), operand(toLowWord(right).code)];
  return int32(operator === '+' ? code`(${x} + ${y}) | 0` : code`(${x} - ${y}) | 0`);
}

function product({ left, right, bits }: Operands, scope: Scope): Value {
  const corners = [lowOf(left), highOf(left)].flatMap((a) => [a * lowOf(right), a * highOf(right)]);
  if (left.kind === 'number' && right.kind === 'number' && corners.every(isSafe)) {
    const text = code`${operand(left.code)} * ${operand(right.code)}`;
    return ranged(text, Math.min(...corners), Math.max(...corners));
  }
  if (bits <= WORD_BITS) {
    return int32(code`Math.imul(${toLowWord(left).code}, ${toLowWord(right).code})`);
  }
  const [a, b] = unsignedWidths(left, right);
  if (bits > PAIR_BITS && a + b > PAIR_BITS) {
    return bigint(code`${operand(toBigint(left))} * ${operand(toBigint(right))}`);
  }
  return wideProduct(toPair(left, scope), toPair(right, scope), scope);
}

/** (2^32 a + b)(2^32 c + d) modulo 2^64 is 2^32 (ad + bc) + bd. */
function wideProduct(x: PairValue, y: PairValue, scope: Scope): Value {
  const [b, d] = [scope.bind(x.low), scope.bind(y.low)];
  const crossed = crossProducts(x, y);
  const top = code`productHigh(${b}, ${d})`;
  const high = crossed === undefined ? top : code`${top} + ${crossed}`;
  const low = scope.keep(code`Math.imul(${b}, ${d}) >>> 0`, 'low');
  return pair(scope.keep(code`(${high}) >>> 0`, 'high'), low);
}

function crossProducts(x: PairValue, y: PairValue): Code | undefined {
  const left = x.high.text === '0' ? undefined : code`Math.imul(${x.high}, ${y.low})`;
  const right = y.high.text === '0' ? undefined : code`Math.imul(${x.low}, ${y.high})`;
  return left && right ? code`${left} + ${right}` : (left ?? right);
}

function quotient(operator: '/' | '%', { left, right }: Operands): Value {
  const divides = operator === '/';
  if (left.kind === 'number' && right.kind === 'number') {
    const most = Math.max(Math.abs(left.low), Math.abs(left.high));
    // A remainder has the sign of the dividend, a quotient may take that of the divisor.
    const isNegative = left.low < 0 || (divides && right.low < 0);
    const name = divides ? code`divideNumbers` : code`remainderOfNumbers`;
    return ranged(code`${name}(${left.code}, ${right.code})`, isNegative ? -most : 0, most);
  }
  const name = divides ? code`divide` : code`remainder`;
  return bigint(code`${name}(${toBigint(left)}, ${toBigint(right)})`);
}
