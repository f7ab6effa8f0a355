import { checked, lookUp, parseHex, malformed, refuse } from './checked';
import { fieldReferenceSchema, operandSchema, operationSchema } from './json-schema';
import {
  headerOf,
  resolveField,
  resolveHeader,
  resolveRealField,
  resolveStack,
  resolveUnion,
  resolveUnionStack,
  stackElement,
  unionOf,
} from './scope';
import { z } from 'zod';
import type {
  ArithmeticOperator,
  BooleanExpression,
  ComparisonOperator,
  DataExpression,
  HeaderExpression,
  TypedExpression,
  UnionExpression,
} from '../expressions';
import type { Place } from './checked';
import type { Scope } from './scope';
import type { FieldLayout } from '../nodes';
import type { FieldTarget } from '../statements';

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
const boolean = (node: BooleanExpression): TypedExpression => ({ type: 'boolean', node });
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

/** The parts of a node with an operator, and where they are. */
interface Operation {
  readonly scope: Scope;
  readonly left: unknown;
  readonly right: unknown;
  readonly condition: unknown;
  readonly place: Place;
}

/** Lowers `{op, left, right, cond}`. */
function lowerOperation(scope: Scope, json: unknown, place: Place): TypedExpression {
  const { op, left, right, cond } = checked(operationSchema, json, place);
  const operation: Operation = { scope, left, right, condition: cond, place };
  const lower = OPERATORS.get(op);
  return lower === undefined ? refuse(`the operator '${op}'`, place) : lower(operation);
}

const ARITHMETIC: readonly ArithmeticOperator[] = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '<<',
  '>>',
  '&',
  '|',
  '^',
];
const ORDER: readonly ComparisonOperator[] = ['<', '<=', '>', '>='];

const OPERATORS = new Map<string, (operation: Operation) => TypedExpression>([
  ...ARITHMETIC.map((op) => [op, (o: Operation) => lowerArithmetic(op, o)] as const),
  ...ORDER.map((op) => [op, (o: Operation) => lowerOrder(op, o)] as const),
  ['==', (o) => lowerEquality(true, o)],
  ['!=', (o) => lowerEquality(false, o)],
  ['~', (o) => data({ kind: 'complement', operand: rightData(o) })],
  ['and', (o) => boolean({ kind: 'and', left: leftBoolean(o), right: rightBoolean(o) })],
  ['or', (o) => boolean({ kind: 'or', left: leftBoolean(o), right: rightBoolean(o) })],
  ['not', (o) => boolean({ kind: 'not', operand: rightBoolean(o) })],
  ['?', lowerConditional],
  ['valid', (o) => boolean({ kind: 'valid', header: onlyHeader(o) })],
  ['d2b', (o) => boolean({ kind: 'data-to-boolean', operand: rightData(o) })],
  ['b2d', (o) => data({ kind: 'boolean-to-data', operand: rightBoolean(o) })],
  ['two_comp_mod', (o) => data({ kind: 'wrap-signed', ...valueAndWidth(o) })],
  ['usat_cast', (o) => data({ kind: 'clamp-unsigned', ...valueAndWidth(o) })],
  ['sat_cast', (o) => data({ kind: 'clamp-signed', ...valueAndWidth(o) })],
  ['dereference_header_stack', lowerElement],
  ['dereference_stack', lowerElement],
  ['dereference_union_stack', lowerUnionElement],
  ['valid_union', (o) => boolean({ kind: 'valid-union', union: onlyUnion(o) })],
  ['access_field', lowerFieldAccess],
  ['access_union_header', lowerMemberAccess],
  ['last_stack_index', (o) => lowerStackNumber('last-index', o)],
  ['size_stack', (o) => lowerStackNumber('count', o)],
]);

/** A missing left side makes the operator unary: 0 op right. */
function lowerArithmetic(operator: ArithmeticOperator, o: Operation): TypedExpression {
  const left: DataExpression = isMissing(o.left) ? { kind: 'constant', value: 0n } : leftData(o);
  return data({ kind: 'arithmetic', operator, left, right: rightData(o) });
}

function lowerOrder(operator: ComparisonOperator, o: Operation): TypedExpression {
  return boolean({ kind: 'compare', operator, left: leftData(o), right: rightData(o) });
}

/** The left side decides what kind of equality it is. */
function lowerEquality(equal: boolean, o: Operation): TypedExpression {
  const left = lowerOperand(o.scope, o.left, leftPlace(o));
  switch (left.type) {
    case 'data': {
      const operator = equal ? '==' : '!=';
      return boolean({ kind: 'compare', operator, left: left.node, right: rightData(o) });
    }
    case 'boolean': {
      const right = rightBoolean(o);
      return boolean({ kind: 'compare-booleans', equal, left: left.node, right });
    }
    case 'header': {
      const right = lowerHeader(o.scope, o.right, rightPlace(o));
      return boolean({ kind: 'compare-headers', equal, left: left.node, right });
    }
    case 'union': {
      const right = lowerUnion(o.scope, o.right, rightPlace(o));
      return boolean({ kind: 'compare-unions', equal, left: left.node, right });
    }
    case 'stack':
    case 'union-stack':
      return refuse('comparison of header stacks', o.place);
  }
}

function lowerConditional(o: Operation): TypedExpression {
  const isBoolean = lowerOperand(o.scope, o.left, leftPlace(o)).type === 'boolean';
  const node: DataExpression = {
    kind: 'conditional',
    condition: lowerBoolean(o.scope, o.condition, o.place.child('cond')),
    whenTrue: leftData(o),
    whenFalse: rightData(o),
  };
  return isBoolean ? boolean({ kind: 'data-to-boolean', operand: node }) : data(node);
}

function lowerElement(o: Operation): TypedExpression {
  const stack = lowerStack(o.scope, o.left, leftPlace(o));
  return header({ kind: 'stack-element', stack, index: rightData(o) });
}

function lowerUnionElement(o: Operation): TypedExpression {
  const unionStack = lowerUnionStack(o.scope, o.left, leftPlace(o));
  return { type: 'union', node: { kind: 'union-stack-element', unionStack, index: rightData(o) } };
}

/** `right` is a plain integer here: the position of the member in its union. */
function lowerMemberAccess(o: Operation): TypedExpression {
  const union = lowerUnion(o.scope, o.left, leftPlace(o));
  const { headers, typeName } = unionOf(o.scope, union, leftPlace(o));
  const member = o.right;
  if (typeof member !== 'number' || headers[member] === undefined) {
    return malformed(`wanted the position of a member of '${typeName}'`, rightPlace(o));
  }
  return header({ kind: 'union-member', union, member });
}

function lowerStackNumber(what: 'last-index' | 'count', o: Operation): TypedExpression {
  const typed = lowerOperand(o.scope, only(o), o.place);
  if (typed.type === 'stack') return data({ kind: `stack-${what}`, stack: typed.stack });
  if (typed.type === 'union-stack') {
    return data({ kind: `union-stack-${what}`, unionStack: typed.unionStack });
  }
  return malformed(`wanted a header stack, found a ${typed.type}`, o.place);
}

/** `right` is a plain integer here: the position of the field in its header. */
function lowerFieldAccess(o: Operation): TypedExpression {
  const node = lowerHeader(o.scope, o.left, leftPlace(o));
  const { fields, typeName } = headerOf(o.scope, node, leftPlace(o));
  const offset = o.right;
  if (typeof offset !== 'number' || fields[offset] === undefined) {
    return malformed(`wanted the position of a field of '${typeName}'`, rightPlace(o));
  }
  return data({ kind: 'header-field', header: node, offset });
}

function valueAndWidth(o: Operation): { operand: DataExpression; width: number } {
  const width = lowerConstant(o.scope, o.right, rightPlace(o));
  if (width < 1) malformed(`wanted a width of at least 1 bit, found ${width}`, rightPlace(o));
  return { operand: leftData(o), width };
}

const isMissing = (operand: unknown): boolean => operand === null || operand === undefined;
const leftPlace = (o: Operation): Place => o.place.child('left');
const rightPlace = (o: Operation): Place => o.place.child('right');
const leftData = (o: Operation): DataExpression => lowerData(o.scope, o.left, leftPlace(o));
const rightData = (o: Operation): DataExpression => lowerData(o.scope, o.right, rightPlace(o));
const leftBoolean = (o: Operation): BooleanExpression =>
  lowerBoolean(o.scope, o.left, leftPlace(o));
const rightBoolean = (o: Operation): BooleanExpression =>
  lowerBoolean(o.scope, o.right, rightPlace(o));

/** The operand of a unary operator, which older compilers put on the left. */
const only = (o: Operation): unknown => (isMissing(o.right) ? o.left : o.right);
const onlyHeader = (o: Operation): HeaderExpression => lowerHeader(o.scope, only(o), o.place);
const onlyUnion = (o: Operation): UnionExpression => lowerUnion(o.scope, only(o), o.place);

/** The field that a primitive writes to: named, in a stack's last element, or computed. */
export function lowerTarget(scope: Scope, operand: unknown, place: Place): FieldTarget {
  const { type, value } = checked(operandSchema, operand, place);
  if (type === 'field') return fieldTarget(resolveRealField(scope, value, place));
  const typed = lowerOperand(scope, operand, place);
  if (typed.type !== 'data') return malformed(`wanted a field, found a ${typed.type}`, place);
  const node = typed.node;
  if (node.kind !== 'header-field') return malformed('wanted a field to write to', place);
  const field = headerOf(scope, node.header, place).fields[node.offset];
  if (field === undefined) return malformed(`the header has no field ${node.offset}`, place);
  return { kind: 'header-field', header: node.header, offset: node.offset, format: field };
}

export function fieldTarget(field: FieldLayout): FieldTarget {
  return { kind: 'field', slot: field.slot, format: field };
}
