import { unreachable } from '../../common/assert';
import {
  addHeader,
  assignHeader,
  assignStack,
  popStack,
  pushStack,
  removeHeader,
  resolveHeader,
} from './header-operations';
import {
  assignUnion,
  assignUnionStack,
  popUnions,
  pushUnions,
  resolveUnion,
} from './union-operations';
import type { Statement } from '../ir/statements';
import type { InterpretedPacket } from './interpreted-packet';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** Statements that copy, add, remove and move whole headers. */
type HeaderStatement = Of<
  | 'assign-header'
  | 'assign-varbit'
  | 'assign-stack'
  | 'assign-union'
  | 'assign-union-stack'
  | 'add-header'
  | 'remove-header'
  | 'push'
  | 'pop'
  | 'push-unions'
  | 'pop-unions'
>;

export function changeHeaders(statement: HeaderStatement, packet: InterpretedPacket): void {
  switch (statement.kind) {
    case 'assign-header': {
      const target = resolveHeader(statement.target, packet);
      assignHeader(target, resolveHeader(statement.source, packet), packet);
      return;
    }
    case 'assign-varbit':
      assignVarbit(statement, packet);
      return;
    case 'assign-stack':
      assignStack(statement.target, statement.source, packet);
      return;
    case 'assign-union': {
      const target = resolveUnion(statement.target, packet);
      assignUnion(target, resolveUnion(statement.source, packet), packet);
      return;
    }
    case 'assign-union-stack':
      assignUnionStack(statement.target, statement.source, packet);
      return;
    case 'add-header':
      addHeader(resolveHeader(statement.header, packet), packet);
      return;
    case 'remove-header':
      removeHeader(resolveHeader(statement.header, packet), packet);
      return;
    case 'push':
      pushStack(statement.stack, statement.count, packet);
      return;
    case 'pop':
      popStack(statement.stack, statement.count, packet);
      return;
    case 'push-unions':
      pushUnions(statement.unionStack, statement.count, packet);
      return;
    case 'pop-unions':
      popUnions(statement.unionStack, statement.count, packet);
      return;
    default:
      unreachable(statement);
  }
}

/** Copies a varbit field with its width; nothing happens when a stack has no such element. */
function assignVarbit(statement: Of<'assign-varbit'>, packet: InterpretedPacket): void {
  const to = packet.header(resolveHeader(statement.target, packet));
  const from = packet.header(resolveHeader(statement.source, packet));
  if (to === undefined || from === undefined) return;
  const before = packet.headerLength(to);
  const value = packet.values[from.firstSlot + statement.sourceOffset] ?? 0n;
  packet.values[to.firstSlot + statement.targetOffset] = value;
  packet.varbitWidths[to.index] = packet.varbitWidths[from.index] ?? 0;
  if (to.metadata || !packet.isValid(to.index)) return;
  packet.packetLength += packet.headerLength(to) - before;
}
