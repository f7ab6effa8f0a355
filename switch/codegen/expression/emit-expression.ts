import { unreachable } from '../../../common/assert';
import { code, operand } from '../text/code';
import { memberStacks } from '../layout/layout';
import { PAIR_BITS, representationOf } from '../layout/representation';
import { clamp, toBoolean, toIndex, wrapSigned } from '../value/convert';
import { emitArithmetic } from '../value/emit-arithmetic';
import { emitComplement } from '../value/emit-bitwise';
import { choose, emitComparison } from '../value/emit-comparison';
import { bigint, constant, literal, pair, ranged, truth, unsigned } from '../value/value';
import { readField, validity } from './emit-fields';
import type {
  BooleanExpression,
  DataExpression,
  HeaderExpression,
  UnionExpression,
} from '../../ir/expressions';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';
import type { Element } from './emit-fields';

/**
 * The value of an expression, of which the caller uses the low `bits` bits: the others may be
 * wrong. What does not fit into one JavaScript expression is computed before, in constants:
 * expressions have no side effects, and none can fail.
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

/** Number of low bits of the left operand that decide `bits` low bits of the result. */
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

/** Number of low bits that a constant mask lets through. */
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

/** The value of a cell, 0 outside the array. */
function emitRegister(array: number, index: DataExpression, scope: Scope): Value {
  return readCell(array, toIndex(emitData(index, scope)), scope);
}

/** A cell of a register array; 0 outside. */
export function readCell(array: number, index: Code, scope: Scope): Value {
  const width = scope.program.registers[array]?.width ?? 0;
  const name = scope.globals.register(array);
  switch (representationOf(width)) {
    case 'word':
    case 'number':
      return unsigned(code`${name}.readNumber(${index})`, width);
    case 'pair': {
      const at = scope.bind(index, 'index');
      const high = scope.keep(code`${name}.readHigh(${at})`, 'high');
      return pair(high, scope.keep(code`${name}.readLow(${at})`, 'low'), width);
    }
    case 'bigint':
      return bigint(code`${name}.read(${index}) ?? 0n`);
  }
}

function unionStackSize(unionStack: number, scope: Scope): number {
  return scope.program.unionStacks[unionStack]?.unions.length ?? 0;
}

function stackSize(stack: number, scope: Scope): number {
  return scope.program.stacks[stack]?.headers.length ?? 0;
}

/** Undefined when no packet can have such an element. */
export function emitElement(node: HeaderExpression, scope: Scope): Element | undefined {
  switch (node.kind) {
    case 'header':
      return fixedElement(node.header, scope);
    case 'stack-element': {
      const headers = scope.program.stacks[node.stack]?.headers ?? [];
      if (node.index.kind === 'constant') {
        const header = headers[Number(node.index.value)];
        return header === undefined ? undefined : fixedElement(header, scope);
      }
      const index = scope.bind(toIndex(emitData(node.index, scope)), 'index');
      return stackElement(headers, index, scope);
    }
    case 'stack-last': {
      const index = scope.keep(code`counts[${node.stack}] - 1`, 'last');
      return stackElement(scope.program.stacks[node.stack]?.headers ?? [], index, scope);
    }
    case 'union-member':
      return unionMember(node, scope);
    default:
      return unreachable(node);
  }
}

/** The index of a header as code, negative when a stack has no such element. */
export function emitHeaderIndex(node: HeaderExpression, scope: Scope): Code {
  if (node.kind === 'header') return code`${scope.globals.header(node.header)}`;
  if (node.kind === 'stack-last') {
    return code`stackElement(packet, ${node.stack}, counts[${node.stack}] - 1)`;
  }
  if (node.kind === 'union-member') {
    return code`unionMember(packet, ${emitUnionIndex(node.union, scope)}, ${node.member})`;
  }
  const index = toIndex(emitData(node.index, scope));
  return code`stackElement(packet, ${node.stack}, ${index})`;
}

/** Code that is true if a header is valid. */
function emitValidity(node: HeaderExpression, scope: Scope): Code {
  if (node.kind !== 'header') return code`isValid(packet, ${emitHeaderIndex(node, scope)})`;
  return validity(node.header, scope);
}

function fixedElement(header: number, scope: Scope): Element {
  const stride = scope.layout.stride(-1);
  return { header, index: undefined, exists: undefined, stride };
}

/** A member of a union, or of an element of a stack of unions. */
function unionMember(
  { union, member }: Extract<HeaderExpression, { kind: 'union-member' }>,
  scope: Scope,
): Element | undefined {
  const { program } = scope;
  if (union.kind === 'union') {
    const header = program.unions[union.union]?.headers[member];
    return header === undefined ? undefined : fixedElement(header, scope);
  }
  const { unionStack, index } = emitUnionElement(union, scope);
  const stack = program.unionStacks[unionStack];
  const headers = stack && memberStacks(stack, program)[member];
  return stackElement(headers ?? [], index, scope);
}

function stackElement(headers: readonly number[], index: Code, scope: Scope): Element | undefined {
  const header = headers[0];
  if (header === undefined) return undefined;
  const exists = code`${index} >= 0 && ${index} < ${headers.length}`;
  return { header, index, exists, stride: scope.layout.stride(header) };
}

/** A union of a stack, in code and, where that is known, as a number. */
interface UnionElement {
  readonly unionStack: number;
  readonly index: Code;
}

/** The index of a union as code, negative when a stack has no such element. */
export function emitUnionIndex(node: UnionExpression, scope: Scope): Code {
  if (node.kind === 'union') return code`${node.union}`;
  const { unionStack, index } = emitUnionElement(node, scope);
  return code`unionElement(packet, ${unionStack}, ${index})`;
}

/** The position that an expression denotes in a stack of unions. */
function emitUnionElement(
  node: Exclude<UnionExpression, { kind: 'union' }>,
  scope: Scope,
): UnionElement {
  const { unionStack } = node;
  switch (node.kind) {
    case 'union-stack-element': {
      const index = scope.bind(toIndex(emitData(node.index, scope)), 'index');
      return { unionStack, index };
    }
    case 'union-stack-last': {
      const last = code`${unionCount(unionStack, scope)} - 1`;
      return { unionStack, index: scope.keep(last, 'last') };
    }
    default:
      return unreachable(node);
  }
}

/** The number of elements of a stack of unions that were extracted or pushed. */
export function unionCount(unionStack: number, { program }: Scope): Code {
  return code`counts[${program.stacks.length + unionStack}]`;
}
