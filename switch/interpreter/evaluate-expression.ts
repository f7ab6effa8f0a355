import { unreachable } from '../../common/assert';
import {
  clampSigned,
  clampUnsigned,
  divide,
  remainder,
  shiftLeft,
  shiftRight,
  wrapSigned,
} from '../runtime/bits';
import {
  headersEqual,
  isUnionValid,
  isValid,
  stackElement,
  unionCountAt,
  unionElement,
  unionMember,
  unionsEqual,
} from '../executor/header-operations';
import type {
  ArithmeticOperator,
  BooleanExpression,
  ComparisonOperator,
  DataExpression,
  HeaderExpression,
  UnionExpression,
} from '../ir/expressions';
import type { InterpretedPacket } from './interpreted-packet';

/** The value of an expression: an unbounded signed integer. */
export function evaluateData(node: DataExpression, packet: InterpretedPacket): bigint {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'field':
      return packet.values[node.slot] ?? 0n;
    case 'header-field':
      return headerField(node, packet);
    case 'validity':
      return isValid(packet, resolveHeader(node.header, packet)) ? 1n : 0n;
    case 'argument':
      return packet.arguments[node.index] ?? 0n;
    case 'register':
      return packet.state.registerList[node.array]?.read(evaluateData(node.index, packet)) ?? 0n;
    case 'arithmetic':
      return arithmetic(
        node.operator,
        evaluateData(node.left, packet),
        evaluateData(node.right, packet),
      );
    case 'complement':
      return ~evaluateData(node.operand, packet);
    case 'conditional':
      return evaluateBoolean(node.condition, packet)
        ? evaluateData(node.whenTrue, packet)
        : evaluateData(node.whenFalse, packet);
    case 'boolean-to-data':
      return evaluateBoolean(node.operand, packet) ? 1n : 0n;
    case 'wrap-signed':
      return wrapSigned(evaluateData(node.operand, packet), node.width);
    case 'clamp-unsigned':
      return clampUnsigned(evaluateData(node.operand, packet), node.width);
    case 'clamp-signed':
      return clampSigned(evaluateData(node.operand, packet), node.width);
    case 'stack-last-index':
      return BigInt((packet.counts[node.stack] ?? 0) - 1);
    case 'stack-count':
      return BigInt(packet.counts[node.stack] ?? 0);
    case 'union-stack-last-index':
      return BigInt(unionCount(node.unionStack, packet) - 1);
    case 'union-stack-count':
      return BigInt(unionCount(node.unionStack, packet));
    default:
      return unreachable(node);
  }
}

/** The truth value of an expression. Both sides of `and` and `or` are free of side effects. */
export function evaluateBoolean(node: BooleanExpression, packet: InterpretedPacket): boolean {
  switch (node.kind) {
    case 'boolean-constant':
      return node.value;
    case 'valid':
      return isValid(packet, resolveHeader(node.header, packet));
    case 'data-to-boolean':
      return evaluateData(node.operand, packet) !== 0n;
    case 'compare':
      return compare(
        node.operator,
        evaluateData(node.left, packet),
        evaluateData(node.right, packet),
      );
    case 'compare-booleans':
      return (
        (evaluateBoolean(node.left, packet) === evaluateBoolean(node.right, packet)) === node.equal
      );
    case 'compare-headers': {
      const left = resolveHeader(node.left, packet);
      return headersEqual(packet, left, resolveHeader(node.right, packet)) === node.equal;
    }
    case 'valid-union':
      return isUnionValid(packet, resolveUnion(node.union, packet));
    case 'compare-unions': {
      const left = resolveUnion(node.left, packet);
      return unionsEqual(packet, left, resolveUnion(node.right, packet)) === node.equal;
    }
    case 'not':
      return !evaluateBoolean(node.operand, packet);
    case 'and':
      return evaluateBoolean(node.left, packet) && evaluateBoolean(node.right, packet);
    case 'or':
      return evaluateBoolean(node.left, packet) || evaluateBoolean(node.right, packet);
    default:
      return unreachable(node);
  }
}

/** Index of the header that an expression denotes, or a negative number outside a stack. */
export function resolveHeader(node: HeaderExpression, packet: InterpretedPacket): number {
  switch (node.kind) {
    case 'header':
      return node.header;
    case 'stack-element':
      return stackElement(packet, node.stack, Number(evaluateData(node.index, packet)));
    case 'stack-last':
      return stackElement(packet, node.stack, (packet.counts[node.stack] ?? 0) - 1);
    case 'union-member':
      return unionMember(packet, resolveUnion(node.union, packet), node.member);
    default:
      return unreachable(node);
  }
}

/** Index of the union that an expression denotes, or a negative number outside a stack. */
export function resolveUnion(node: UnionExpression, packet: InterpretedPacket): number {
  switch (node.kind) {
    case 'union':
      return node.union;
    case 'union-stack-element':
      return unionElement(packet, node.unionStack, Number(evaluateData(node.index, packet)));
    case 'union-stack-last':
      return unionElement(packet, node.unionStack, unionCount(node.unionStack, packet) - 1);
    default:
      return unreachable(node);
  }
}

function unionCount(unionStack: number, packet: InterpretedPacket): number {
  return packet.counts[unionCountAt(packet, unionStack)] ?? 0;
}

/** A field of a computed header; 0 when the stack has no such element. */
function headerField(
  node: Extract<DataExpression, { kind: 'header-field' }>,
  packet: InterpretedPacket,
): bigint {
  const header = packet.header(resolveHeader(node.header, packet));
  return header === undefined ? 0n : (packet.values[header.firstSlot + node.offset] ?? 0n);
}

function arithmetic(operator: ArithmeticOperator, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return divide(left, right);
    case '%':
      return remainder(left, right);
    case '<<':
      return shiftLeft(left, right);
    case '>>':
      return shiftRight(left, right);
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    default:
      return unreachable(operator);
  }
}

function compare(operator: ComparisonOperator, left: bigint, right: bigint): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return unreachable(operator);
  }
}
