import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { toIndex } from '../value/convert';
import { emitData } from './emit-expression';
import type { UnionExpression } from '../../ir/expressions';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';

/** Which union of a stack, in code and, where that is known, as a number. */
export interface UnionElement {
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
export function emitUnionElement(
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
