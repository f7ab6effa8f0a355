import { checked } from '../json/checked';
import { operationSchema } from '../json/json-schema';
import {
  lowerBoolean,
  lowerConstant,
  lowerData,
  lowerHeader,
  lowerOperand,
  lowerStack,
  lowerUnion,
  lowerUnionStack,
} from './lower-operand';
import { malformed, refuse } from '../json/place';
import { headerOf, unionOf } from './scope';
import type {
  ArithmeticOperator,
  BooleanExpression,
  ComparisonOperator,
  DataExpression,
  HeaderExpression,
  TypedExpression,
  UnionExpression,
} from '../expressions';
import type { Place } from '../json/place';
import type { Scope } from './scope';

/** The parts of a node with an operator, and where they are. */
interface Operation {
  readonly scope: Scope;
  readonly left: unknown;
  readonly right: unknown;
  readonly condition: unknown;
  readonly place: Place;
}

/** Lowers `{op, left, right, cond}`. */
export function lowerOperation(scope: Scope, json: unknown, place: Place): TypedExpression {
  const { op, left, right, cond } = checked(operationSchema, json, place);
  const operation: Operation = { scope, left, right, condition: cond, place };
  const lower = OPERATORS.get(op);
  return lower === undefined ? refuse(`the operator '${op}'`, place) : lower(operation);
}

const data = (node: DataExpression): TypedExpression => ({ type: 'data', node });
const boolean = (node: BooleanExpression): TypedExpression => ({ type: 'boolean', node });
const header = (node: HeaderExpression): TypedExpression => ({ type: 'header', node });

const ARITHMETIC: readonly ArithmeticOperator[] = [
  ...(['+', '-', '*', '/', '%'] as const),
  ...(['<<', '>>', '&', '|', '^'] as const),
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
