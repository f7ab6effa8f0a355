import { unreachable } from '../../../common/assert';
import { code, joined, operand } from '../text/code';
import { emitBoolean, emitData } from '../expression/emit-expression';
import { demandOf } from '../expression/emit-fields';
import { writeTarget } from '../expression/emit-write';
import { toBigint } from '../value/convert';
import { literal } from '../value/value';
import { emitExtern, emitRequest } from './emit-extern';
import { emitHeaderChange } from './emit-header-change';
import type { Effect, Statement } from '../../ir/statements';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/** One statement. The caller opens a block where constants of one statement must not meet. */
export function emitStatement(statement: Effect, scope: Scope): void {
  const { writer } = scope;
  switch (statement.kind) {
    case 'assign': {
      const bits = demandOf(statement.target.format);
      writeTarget(statement.target, emitData(statement.value, scope, bits), scope);
      return;
    }
    case 'assign-header':
    case 'assign-varbit':
    case 'assign-stack':
    case 'assign-union':
    case 'assign-union-stack':
    case 'add-header':
    case 'remove-header':
    case 'push':
    case 'pop':
    case 'push-unions':
    case 'pop-unions':
      emitHeaderChange(statement, scope);
      return;
    case 'drop':
      writeTarget(statement.egressSpec, literal(scope.dropPort), scope);
      if (statement.clear !== undefined) writeTarget(statement.clear, literal(0), scope);
      return;
    case 'exit':
      writer.line(code`packet.exited = true;`);
      return;
    case 'register-read':
    case 'register-write':
    case 'hash':
    case 'count':
    case 'execute-meter':
    case 'random':
      emitExtern(statement, scope);
      return;
    case 'clone':
    case 'resubmit':
    case 'recirculate':
    case 'digest':
    case 'truncate':
      emitRequest(statement, scope);
      return;
    case 'log':
      emitLog(statement, scope);
      return;
    case 'assert': {
      const holds = operand(emitBoolean(statement.condition, scope));
      writer.line(code`if (!${holds}) failAssertion(${statement.place});`);
      return;
    }
    case 'no-operation':
      return;
    default:
      unreachable(statement);
  }
}

function emitLog(statement: Extract<Statement, { kind: 'log' }>, scope: Scope): void {
  scope.writer.block(code`if (log !== undefined)`, () => {
    const values = statement.arguments.map((value) => loggable(emitData(value, scope)));
    const list = joined(values, ', ');
    scope.writer.line(code`log(formatMessage(${statement.format}, [${list}]));`);
  });
}

function loggable(value: Value): Code {
  return value.kind === 'number' ? value.code : toBigint(value);
}
