import { unreachable } from '../../common/assert';
import { evaluateData } from './evaluate-expression';
import { assignHeader, headersEqual } from './header-operations';
import type { UnionExpression } from '../ir/expressions';
import type { InterpretedPacket } from './interpreted-packet';

/** What an expression gives that denotes no element of its stack. */
const NO_UNION = -1;

/** Index of the union that an expression denotes, or a negative number outside a stack. */
export function resolveUnion(node: UnionExpression, packet: InterpretedPacket): number {
  switch (node.kind) {
    case 'union':
      return node.union;
    case 'union-stack-element':
      return elementOf(node.unionStack, Number(evaluateData(node.index, packet)), packet);
    case 'union-stack-last': {
      const count = packet.unionStackCounts[node.unionStack] ?? 0;
      return elementOf(node.unionStack, count - 1, packet);
    }
    default:
      return unreachable(node);
  }
}

function elementOf(unionStack: number, index: number, packet: InterpretedPacket): number {
  return packet.program.unionStacks[unionStack]?.unions[index] ?? NO_UNION;
}

export function isUnionValid(union: number, packet: InterpretedPacket): boolean {
  return members(union, packet).some((header) => packet.isValid(header));
}

/** Equal means: the same member is valid in both, and equal. */
export function unionsEqual(left: number, right: number, packet: InterpretedPacket): boolean {
  const others = members(right, packet);
  return members(left, packet).some((header, i) =>
    headersEqual(header, others[i] ?? NO_UNION, packet),
  );
}

/** Copies the valid member; an invalid or absent source leaves the target invalid. */
export function assignUnion(target: number, source: number, packet: InterpretedPacket): void {
  const from = members(source, packet);
  const to = members(target, packet);
  const chosen = from.findIndex((header) => packet.isValid(header));
  if (target === source) return;
  for (const header of to) packet.valid[header] = 0;
  const header = to[chosen];
  if (header !== undefined) assignHeader(header, from[chosen] ?? NO_UNION, packet);
}

/** Copies all elements and the count of a stack. */
export function assignUnionStack(target: number, source: number, packet: InterpretedPacket): void {
  const from = unionsOf(source, packet);
  unionsOf(target, packet).forEach((union, i) => {
    assignUnion(union, from[i] ?? NO_UNION, packet);
  });
  packet.unionStackCounts[target] = packet.unionStackCounts[source] ?? 0;
}

/** Moves all elements back by `count` and leaves the first ones invalid. */
export function pushUnions(stack: number, count: number, packet: InterpretedPacket): void {
  const unions = unionsOf(stack, packet);
  for (let i = unions.length - 1; i >= 0; i--) {
    assignUnion(unions[i] ?? NO_UNION, unions[i - count] ?? NO_UNION, packet);
  }
  const moved = (packet.unionStackCounts[stack] ?? 0) + count;
  packet.unionStackCounts[stack] = Math.min(moved, unions.length);
}

/** Moves all elements forward by `count` and leaves the last ones invalid. */
export function popUnions(stack: number, count: number, packet: InterpretedPacket): void {
  const unions = unionsOf(stack, packet);
  unions.forEach((union, i) => {
    assignUnion(union, unions[i + count] ?? NO_UNION, packet);
  });
  packet.unionStackCounts[stack] = Math.max((packet.unionStackCounts[stack] ?? 0) - count, 0);
}

function members(union: number, packet: InterpretedPacket): readonly number[] {
  return packet.program.unions[union]?.headers ?? [];
}

function unionsOf(stack: number, packet: InterpretedPacket): readonly number[] {
  return packet.program.unionStacks[stack]?.unions ?? [];
}
