import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { emitAddHeader, emitHeaderIndex } from '../expression/emit-header';
import { emitUnionIndex } from '../expression/emit-union';
import type { Statement } from '../../ir/statements';
import type { Scope } from '../value/scope';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** Statements on whole headers and stacks. */
export function emitHeaderStatement(
  statement: Of<'assign-header' | 'assign-stack' | 'add-header' | 'remove-header' | 'push' | 'pop'>,
  scope: Scope,
): void {
  const { writer } = scope;
  switch (statement.kind) {
    case 'assign-header': {
      const target = emitHeaderIndex(statement.target, scope);
      const source = emitHeaderIndex(statement.source, scope);
      writer.line(code`assignHeader(packet, ${target}, ${source});`);
      return;
    }
    case 'assign-stack':
      writer.line(code`assignStack(packet, ${statement.target}, ${statement.source});`);
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
    default:
      unreachable(statement);
  }
}

/** Statements on varbit fields and header unions. */
export function emitUnusualStatement(
  statement: Of<
    'assign-varbit' | 'assign-union' | 'assign-union-stack' | 'push-unions' | 'pop-unions'
  >,
  scope: Scope,
): void {
  const { writer } = scope;
  switch (statement.kind) {
    case 'assign-varbit': {
      const target = emitHeaderIndex(statement.target, scope);
      const source = emitHeaderIndex(statement.source, scope);
      writer.line(code`assignVarbit(packet, ${target}, ${source});`);
      return;
    }
    case 'assign-union': {
      const target = emitUnionIndex(statement.target, scope);
      const source = emitUnionIndex(statement.source, scope);
      writer.line(code`assignUnion(packet, ${target}, ${source});`);
      return;
    }
    case 'assign-union-stack':
      writer.line(code`assignUnionStack(packet, ${statement.target}, ${statement.source});`);
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
