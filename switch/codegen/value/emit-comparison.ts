import { unreachable } from '../../../common/assert';
import { code, operand } from '../text/code';
import { toBigint, toPair } from './convert';
import { bigint, pair, ranged } from './value';
import type { ComparisonOperator } from '../../ir/expressions';
import type { Code } from '../text/code';
import type { Scope } from './scope';
import type { Value } from './value';

/** One of two values, in a representation that holds both. */
export function choose(condition: Code, left: Value, right: Value, scope: Scope): Value {
  const test = operand(condition);
  if (left.kind === 'number' && right.kind === 'number') {
    const text = code`${test} ? ${operand(left.code)} : ${operand(right.code)}`;
    return ranged(text, Math.min(left.low, right.low), Math.max(left.high, right.high));
  }
  if (fitsPair(left) && fitsPair(right)) {
    const kept = scope.keep(condition, 'chosen');
    const [x, y] = [toPair(left, scope), toPair(right, scope)];
    const high = scope.keep(code`${kept} ? ${x.high} : ${y.high}`, 'high');
    const low = scope.keep(code`${kept} ? ${x.low} : ${y.low}`, 'low');
    return pair(high, low, Math.max(x.width, y.width));
  }
  return bigint(code`${test} ? ${toBigint(left)} : ${toBigint(right)}`);
}

function fitsPair(value: Value): boolean {
  return value.kind === 'pair' || (value.kind === 'number' && value.low >= 0);
}

/** Compares two values, whatever their representations. */
export function emitComparison(
  operator: ComparisonOperator,
  left: Value,
  right: Value,
  scope: Scope,
): Code {
  if (left.kind === 'number' && right.kind === 'number') {
    return comparison(operator, left.code, right.code);
  }
  if (!fitsPair(left) || !fitsPair(right)) {
    return comparison(operator, toBigint(left), toBigint(right));
  }
  const [x, y] = [toPair(left, scope), toPair(right, scope)];
  if (operator === '==') return code`${x.high} === ${y.high} && ${x.low} === ${y.low}`;
  if (operator === '!=') return code`${x.high} !== ${y.high} || ${x.low} !== ${y.low}`;
  const strict = operator === '<' || operator === '<=' ? '<' : '>';
  const high = comparison(strict, x.high, y.high);
  const low = comparison(operator, x.low, y.low);
  return code`${high} || (${x.high} === ${y.high} && ${low})`;
}

function comparison(operator: ComparisonOperator, left: Code, right: Code): Code {
  const [x, y] = [operand(left), operand(right)];
  switch (operator) {
    case '==':
      return code`${x} === ${y}`;
    case '!=':
      return code`${x} !== ${y}`;
    case '<':
      return code`${x} < ${y}`;
    case '<=':
      return code`${x} <= ${y}`;
    case '>':
      return code`${x} > ${y}`;
    case '>=':
      return code`${x} >= ${y}`;
    default:
      return unreachable(operator);
  }
}
