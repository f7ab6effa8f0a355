import { unreachable } from '../../../common/assert';
import { code, operand } from '../text/code';
import { clamp, toBigint, toBoolean, toPair, wrapSigned } from '../value/convert';
import { emitArithmetic } from '../value/emit-arithmetic';
import { emitComplement } from '../value/emit-bitwise';
import { readField } from './emit-fields';
import { emitElement, emitHeaderIndex, emitValidity } from './emit-header';
import { emitRegister } from './emit-register';
import { emitUnionIndex, unionCount } from './emit-union';
import { PAIR_BITS } from '../layout/representation';
import { bigint, constant, literal, pair, ranged, truth } from '../value/value';
import type {
  BooleanExpression,
  ComparisonOperator,
  DataExpression,
  HeaderExpression,
} from '../../ir/expressions';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/**
 * The value of an expression. Only its low `bits` bits matter to whoever asks, so the result may
 * differ from the true one in the others. What does not fit into one JavaScript expression is
 * computed before, in constants: expressions have no side effects, and none can fail.
 */
export function emitData(node: DataExpression, scope: Scope, bits = Infinity): Value {
  switch (node.kind) {
    case 'constant':
      return emitConstant(node.value, bits);
    case 'field':
      return emitField(node.slot, scope);
    case 'header-field':
      return emitHeaderField(node, scope);
    case 'validity':
      return truth(emitValidity(node.header, scope));
    case 'argument':
      return scope.parameters[node.index] ?? literal(0);
    case 'register':
      return emitRegister(node.array, node.index, scope);
    case 'arithmetic':
      return emitOperation(node, scope, bits);
    case 'complement':
      return emitComplement(emitData(node.operand, scope, bits), bits, scope);
    case 'conditional':
      return emitConditional(node, scope, bits);
    case 'boolean-to-data':
      return truth(emitBoolean(node.operand, scope));
    case 'wrap-signed':
      return wrapSigned(emitData(node.operand, scope, node.width), node.width, scope);
    case 'clamp-unsigned': {
      const largest = (1n << BigInt(node.width)) - 1n;
      return clamp(emitData(node.operand, scope), 0n, largest, scope);
    }
    case 'clamp-signed': {
      const half = node.width === 0 ? 0n : 1n << BigInt(node.width - 1);
      const largest = node.width === 0 ? 0n : half - 1n;
      return clamp(emitData(node.operand, scope), -half, largest, scope);
    }
    case 'stack-last-index':
      return ranged(code`counts[${node.stack}] - 1`, -1, stackSize(node.stack, scope) - 1);
    case 'stack-count':
      return ranged(code`counts[${node.stack}]`, 0, stackSize(node.stack, scope));
    case 'union-stack-last-index': {
      const size = unionStackSize(node.unionStack, scope);
      return ranged(code`${unionCount(node.unionStack, scope)} - 1`, -1, size - 1);
    }
    case 'union-stack-count': {
      const size = unionStackSize(node.unionStack, scope);
      return ranged(unionCount(node.unionStack, scope), 0, size);
    }
    default:
      return unreachable(node);
  }
}

/** The truth value of an expression. */
export function emitBoolean(node: BooleanExpression, scope: Scope): Code {
  switch (node.kind) {
    case 'boolean-constant':
      return code`${node.value}`;
    case 'valid':
      return emitValidity(node.header, scope);
    case 'data-to-boolean':
      return toBoolean(emitData(node.operand, scope));
    case 'compare':
      return emitComparison(
        node.operator,
        emitData(node.left, scope),
        emitData(node.right, scope),
        scope,
      );
    case 'compare-booleans': {
      const left = operand(emitBoolean(node.left, scope));
      const right = operand(emitBoolean(node.right, scope));
      return node.equal ? code`${left} === ${right}` : code`${left} !== ${right}`;
    }
    case 'compare-headers': {
      const left = emitHeaderIndex(node.left, scope);
      const equal = code`headersEqual(packet, ${left}, ${emitHeaderIndex(node.right, scope)})`;
      return node.equal ? equal : code`!${equal}`;
    }
    case 'valid-union':
      return code`isUnionValid(packet, ${emitUnionIndex(node.union, scope)})`;
    case 'compare-unions': {
      const left = emitUnionIndex(node.left, scope);
      const equal = code`unionsEqual(packet, ${left}, ${emitUnionIndex(node.right, scope)})`;
      return node.equal ? equal : code`!${equal}`;
    }
    case 'not':
      return code`!${operand(emitBoolean(node.operand, scope))}`;
    case 'and': {
      const left = operand(emitBoolean(node.left, scope));
      return code`${left} && ${operand(emitBoolean(node.right, scope))}`;
    }
    case 'or': {
      const left = operand(emitBoolean(node.left, scope));
      return code`${left} || ${operand(emitBoolean(node.right, scope))}`;
    }
    default:
      return unreachable(node);
  }
}

/** A constant beyond the safe integers is cut to the bits that matter. */
function emitConstant(value: bigint, bits: number): Value {
  const exact = constant(value);
  if (exact.kind === 'number' || bits > PAIR_BITS) return exact;
  return constant(BigInt.asUintN(bits, value));
}

function emitField(slot: number, scope: Scope): Value {
  return readField(scope.layout.field(slot), scope);
}

/** A field of a computed header; 0 when the stack has no such element. */
function emitHeaderField(
  node: { readonly header: HeaderExpression; readonly offset: number },
  scope: Scope,
): Value {
  const element = emitElement(node.header, scope);
  const field = element && scope.layout.header(element.header).fields[node.offset];
  if (field === undefined) return literal(0);
  const value = readField(field, scope, element);
  return element?.exists === undefined ? value : choose(element.exists, value, literal(0), scope);
}

function emitOperation(
  node: Extract<DataExpression, { kind: 'arithmetic' }>,
  scope: Scope,
  bits: number,
): Value {
  const left = emitData(node.left, scope, bitsOfLeft(node, bits));
  const right = emitData(node.right, scope, bitsOfRight(node, bits));
  return emitArithmetic(node.operator, { left, right, bits }, scope);
}

type Operation = Extract<DataExpression, { kind: 'arithmetic' }>;

/** How many low bits of the left operand decide `bits` low bits of the result. */
function bitsOfLeft({ operator, right }: Operation, bits: number): number {
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '|':
    case '^':
    case '<<':
      return bits;
    case '&':
      return Math.min(bits, maskBits(right));
    case '>>':
      return right.kind === 'constant' && right.value >= 0n ? bits + Number(right.value) : Infinity;
    case '/':
    case '%':
      return Infinity;
    default:
      return unreachable(operator);
  }
}

function bitsOfRight({ operator, left }: Operation, bits: number): number {
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '|':
    case '^':
      return bits;
    case '&':
      return Math.min(bits, maskBits(left));
    case '<<':
    case '>>':
    case '/':
    case '%':
      return Infinity;
    default:
      return unreachable(operator);
  }
}

/** How many low bits a constant mask lets through. */
function maskBits(node: DataExpression): number {
  if (node.kind !== 'constant' || node.value < 0n) return Infinity;
  return node.value.toString(2).length;
}

function emitConditional(
  node: Extract<DataExpression, { kind: 'conditional' }>,
  scope: Scope,
  bits: number,
): Value {
  const condition = emitBoolean(node.condition, scope);
  const whenTrue = emitData(node.whenTrue, scope, bits);
  return choose(condition, whenTrue, emitData(node.whenFalse, scope, bits), scope);
}

/** One of two values, in a representation that holds both. */
function choose(condition: Code, left: Value, right: Value, scope: Scope): Value {
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

function unionStackSize(unionStack: number, scope: Scope): number {
  return scope.program.unionStacks[unionStack]?.unions.length ?? 0;
}

function stackSize(stack: number, scope: Scope): number {
  return scope.program.stacks[stack]?.headers.length ?? 0;
}
