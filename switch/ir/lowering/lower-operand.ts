import { checked, lookUp, parseHex } from '../json/checked';
import { fieldReferenceSchema, operandSchema } from '../json/json-schema';
import { lowerOperation } from './lower-operation';
import { malformed, refuse } from '../json/place';
import {
  resolveField,
  resolveHeader,
  resolveStack,
  resolveUnion,
  resolveUnionStack,
  stackElement,
  unionOf,
} from './scope';
import { z } from 'zod';
import type {
  BooleanExpression,
  DataExpression,
  HeaderExpression,
  TypedExpression,
  UnionExpression,
} from '../expressions';
import type { Place } from '../json/place';
import type { Scope } from './scope';

/** An operand that must denote a number; booleans count as 1 and 0. */
export function lowerData(scope: Scope, operand: unknown, place: Place): DataExpression {
  const typed = lowerOperand(scope, operand, place);
  if (typed.type === 'data') return typed.node;
  if (typed.type === 'boolean') return { kind: 'boolean-to-data', operand: typed.node };
  return malformed(`wanted a number, found a ${typed.type}`, place);
}

/** An operand that must denote a truth value; numbers count as "is not 0". */
export function lowerBoolean(scope: Scope, operand: unknown, place: Place): BooleanExpression {
  const typed = lowerOperand(scope, operand, place);
  if (typed.type === 'boolean') return typed.node;
  if (typed.type === 'data') return { kind: 'data-to-boolean', operand: typed.node };
  return malformed(`wanted a truth value, found a ${typed.type}`, place);
}

export function lowerHeader(scope: Scope, operand: unknown, place: Place): HeaderExpression {
  const typed = lowerOperand(scope, operand, place);
  if (typed.type === 'header') return typed.node;
  return malformed(`wanted a header, found a ${typed.type}`, place);
}

/** An operand that must name a header stack; returns the stack's index. */
export function lowerStack(scope: Scope, operand: unknown, place: Place): number {
  const typed = lowerOperand(scope, operand, place);
  if (typed.type === 'stack') return typed.stack;
  return malformed(`wanted a header stack, found a ${typed.type}`, place);
}

export function lowerUnion(scope: Scope, operand: unknown, place: Place): UnionExpression {
  const typed = lowerOperand(scope, operand, place);
  if (typed.type === 'union') return typed.node;
  return malformed(`wanted a header union, found a ${typed.type}`, place);
}

/** An operand that must name a union stack; returns the stack's index. */
export function lowerUnionStack(scope: Scope, operand: unknown, place: Place): number {
  const typed = lowerOperand(scope, operand, place);
  if (typed.type === 'union-stack') return typed.unionStack;
  return malformed(`wanted a stack of header unions, found a ${typed.type}`, place);
}

/** An operand that must be a constant, as a number. */
export function lowerConstant(scope: Scope, operand: unknown, place: Place): number {
  const node = lowerData(scope, operand, place);
  if (node.kind === 'constant') return Number(node.value);
  return refuse('a value that only running decides where a constant is needed', place);
}

export function lowerOperand(scope: Scope, json: unknown, place: Place): TypedExpression {
  const { type, value } = checked(operandSchema, json, place);
  const at = place.child('value');
  switch (type) {
    case 'expression':
      return lowerNested(scope, value, at);
    case 'field':
      return lowerField(scope, value, at);
    case 'hexstr':
      return data({ kind: 'constant', value: parseHex(value, at) });
    case 'bool':
      return { type: 'boolean', node: { kind: 'boolean-constant', value: value === true } };
    case 'local':
    case 'runtime_data':
      return lowerArgument(scope, value, at);
    case 'register':
      return lowerRegister(scope, value, at);
    case 'header':
      return header({ kind: 'header', header: resolveHeader(scope, value, at).index });
    case 'header_stack':
      return { type: 'stack', stack: resolveStack(scope, value, at).index };
    case 'stack_field':
      return lowerStackField(scope, value, at);
    case 'header_union': {
      const union = resolveUnion(scope, value, at).index;
      return { type: 'union', node: { kind: 'union', union } };
    }
    case 'header_union_stack':
      return { type: 'union-stack', unionStack: resolveUnionStack(scope, value, at).index };
    case 'union_stack_field':
      return lowerUnionStackField(scope, value, at);
    default:
      return refuse(`an operand of type '${type}'`, place);
  }
}

const data = (node: DataExpression): TypedExpression => ({ type: 'data', node });
const header = (node: HeaderExpression): TypedExpression => ({ type: 'header', node });

/** p4c wraps expressions once or twice; the innermost value carries the operator. */
function lowerNested(scope: Scope, value: unknown, place: Place): TypedExpression {
  if (value === null) {
    return { type: 'boolean', node: { kind: 'boolean-constant', value: false } };
  }
  const wrapped = operandSchema.safeParse(value);
  if (wrapped.success) return lowerOperand(scope, value, place);
  return lowerOperation(scope, value, place);
}

function lowerField(scope: Scope, value: unknown, place: Place): TypedExpression {
  const resolved = resolveField(scope, value, place);
  if (resolved.kind === 'field') return data({ kind: 'field', slot: resolved.field.slot });
  return data({ kind: 'validity', header: { kind: 'header', header: resolved.header } });
}

function lowerArgument(scope: Scope, value: unknown, place: Place): TypedExpression {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return malformed('wanted the position of an action parameter', place);
  }
  if (value >= 0 && value < scope.parameterCount) return data({ kind: 'argument', index: value });
  return malformed(`the action has no parameter ${value}`, place);
}

function lowerRegister(scope: Scope, value: unknown, place: Place): TypedExpression {
  if (!Array.isArray(value) || typeof value[0] !== 'string') {
    return malformed('wanted a register array and an index', place);
  }
  const array = lookUp(scope.registers, value[0], 'register array', place);
  return data({ kind: 'register', array, index: lowerData(scope, value[1], place.child(1)) });
}

function lowerStackField(scope: Scope, value: unknown, place: Place): TypedExpression {
  const [stackName, fieldName] = checked(fieldReferenceSchema, value, place);
  const stack = resolveStack(scope, stackName, place);
  const offset = stackElement(scope, stack, place).fields.findIndex((f) => f.name === fieldName);
  if (offset < 0) return malformed(`stack '${stackName}' has no field '${fieldName}'`, place);
  const last: HeaderExpression = { kind: 'stack-last', stack: stack.index };
  return data({ kind: 'header-field', header: last, offset });
}

/** `[union stack, member, field]` of the element that was extracted last. */
function lowerUnionStackField(scope: Scope, value: unknown, place: Place): TypedExpression {
  const names = checked(z.tuple([z.string(), z.string(), z.string()]), value, place);
  const { index } = resolveUnionStack(scope, names[0], place);
  const union: UnionExpression = { kind: 'union-stack-last', unionStack: index };
  const { headers, memberNames } = unionOf(scope, union, place);
  const member = memberNames.indexOf(names[1]);
  const fields = scope.headerList[headers[member] ?? -1]?.fields ?? [];
  const offset = fields.findIndex((field) => field.name === names[2]);
  if (offset < 0) return malformed(`no field '${names.join('.')}'`, place);
  return data({ kind: 'header-field', header: { kind: 'union-member', union, member }, offset });
}
