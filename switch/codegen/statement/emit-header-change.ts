import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { emitHeaderIndex, emitUnionIndex } from '../expression/emit-expression';
import { clearHeader } from '../expression/emit-fields';
import type { HeaderExpression } from '../../ir/expressions';
import type { HeaderStatement } from '../../ir/statements';
import type { Scope } from '../value/scope';

export function emitHeaderChange(statement: HeaderStatement, scope: Scope): void {
  const { writer } = scope;
  switch (statement.kind) {
    case 'assign-header': {
      const target = emitHeaderIndex(statement.target, scope);
      const source = emitHeaderIndex(statement.source, scope);
      writer.line(code`assignHeader(packet, ${target}, ${source});`);
      return;
    }
    case 'assign-varbit': {
      const target = emitHeaderIndex(statement.target, scope);
      const source = emitHeaderIndex(statement.source, scope);
      writer.line(code`assignVarbit(packet, ${target}, ${source});`);
      return;
    }
    case 'assign-stack':
      writer.line(code`assignStack(packet, ${statement.target}, ${statement.source});`);
      return;
    case 'assign-union': {
      const target = emitUnionIndex(statement.target, scope);
      const source = emitUnionIndex(statement.source, scope);
      writer.line(code`assignUnion(packet, ${target}, ${source});`);
      return;
    }
    case 'assign-union-stack':
      writer.line(code`assignUnionStack(packet, ${statement.target}, ${statement.source});`);
      return;
    case 'add-header':
      emitAddHeader(statement.header, scope);
      return;
    case 'remove-header':
      writer.line(code`removeHeader(packet, ${emitHeaderIndex(statement.header, scope)});`);
      return;
    case 'push':
      writer.line(code`pushStack(packet, ${statement.stack}, ${statement.count});`);
      return;
    case 'pop':
      writer.line(code`popStack(packet, ${statement.stack}, ${statement.count});`);
      return;
    case 'push-unions':
      writer.line(code`pushUnions(packet, ${statement.unionStack}, ${statement.count});`);
      return;
    case 'pop-unions':
      writer.line(code`popUnions(packet, ${statement.unionStack}, ${statement.count});`);
      return;
    default:
      unreachable(statement);
  }
}

/** Makes a header valid with all fields 0. PERF: straight stores where the header is known. */
function emitAddHeader(node: HeaderExpression, scope: Scope): void {
  const { writer, globals, layout } = scope;
  if (node.kind !== 'header') {
    writer.line(code`addHeader(packet, ${emitHeaderIndex(node, scope)});`);
    return;
  }
  const header = layout.header(node.header);
  if (header.metadata) return;
  const name = globals.header(node.header);
  if (header.union !== undefined || header.varbit !== undefined) {
    writer.line(code`addHeader(packet, ${name});`);
    return;
  }
  writer.block(code`if (valid[${name}] === 0)`, () => {
    clearHeader(header, scope);
    writer.line(code`valid[${name}] = 1;`);
    writer.line(code`packet.packetLength += ${header.byteLength};`);
  });
}
