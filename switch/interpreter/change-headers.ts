import { unreachable } from '../../common/assert';
import {
  addHeader,
  assignHeader,
  assignStack,
  assignUnion,
  assignUnionStack,
  assignVarbit,
  popStack,
  popUnions,
  pushStack,
  pushUnions,
  removeHeader,
} from '../executor/header-operations';
import { resolveHeader, resolveUnion } from './evaluate-expression';
import type { HeaderStatement } from '../ir/statements';
import type { InterpretedPacket } from './interpreted-packet';

export function changeHeaders(statement: HeaderStatement, packet: InterpretedPacket): void {
  switch (statement.kind) {
    case 'assign-header': {
      const target = resolveHeader(statement.target, packet);
      assignHeader(packet, target, resolveHeader(statement.source, packet));
      return;
    }
    case 'assign-varbit': {
      const target = resolveHeader(statement.target, packet);
      assignVarbit(packet, target, resolveHeader(statement.source, packet));
      return;
    }
    case 'assign-stack':
      assignStack(packet, statement.target, statement.source);
      return;
    case 'assign-union': {
      const target = resolveUnion(statement.target, packet);
      assignUnion(packet, target, resolveUnion(statement.source, packet));
      return;
    }
    case 'assign-union-stack':
      assignUnionStack(packet, statement.target, statement.source);
      return;
    case 'add-header':
      addHeader(packet, resolveHeader(statement.header, packet));
      return;
    case 'remove-header':
      removeHeader(packet, resolveHeader(statement.header, packet));
      return;
    case 'push':
      pushStack(packet, statement.stack, statement.count);
      return;
    case 'pop':
      popStack(packet, statement.stack, statement.count);
      return;
    case 'push-unions':
      pushUnions(packet, statement.unionStack, statement.count);
      return;
    case 'pop-unions':
      popUnions(packet, statement.unionStack, statement.count);
      return;
    default:
      unreachable(statement);
  }
}
