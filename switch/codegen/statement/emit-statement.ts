import { unreachable } from '../../../common/assert';
import { code, joined, operand } from '../text/code';
import { toBigint, toIndex } from '../value/convert';
import { emitBoolean, emitData } from '../expression/emit-expression';
import { demandOf, writeTarget } from '../expression/emit-fields';
import { emitHashStatement } from './emit-hash';
import { emitHeaderStatement, emitUnusualStatement } from './emit-structure';
import { emitRegisterRead, emitRegisterWrite } from '../expression/emit-register';
import { emitRequest } from './emit-request';
import { emitMeter, emitRandom } from './emit-extern';
import { literal } from '../value/value';
import type { Statement } from '../../ir/statements';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/** Everything that a primitive can do except jump. */
export type Effect = Exclude<Statement, { kind: 'jump' | 'jump-if-false' }>;

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
    case 'assign-stack':
    case 'add-header':
    case 'remove-header':
    case 'push':
    case 'pop':
      emitHeaderStatement(statement, scope);
      return;
    case 'drop':
      writeTarget(statement.egressSpec, literal(scope.dropPort), scope);
      if (statement.clear !== undefined) writeTarget(statement.clear, literal(0), scope);
      return;
    case 'exit':
      writer.line(code`packet.exited = true;`);
      return;
    case 'register-read':
      emitRegisterRead(statement, scope);
      return;
    case 'register-write':
      emitRegisterWrite(statement, scope);
      return;
    case 'hash':
      emitHashStatement(statement, scope);
      return;
    case 'count': {
      const index = toIndex(emitData(statement.index, scope));
      const name = scope.globals.counter(statement.array);
      writer.line(code`${name}.count(${index}, packet.receivedLength);`);
      return;
    }
    case 'execute-meter':
      emitMeter(statement, scope);
      return;
    case 'random':
      emitRandom(statement, scope);
      return;
    case 'assign-varbit':
    case 'assign-union':
    case 'assign-union-stack':
    case 'push-unions':
    case 'pop-unions':
      emitUnusualStatement(statement, scope);
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
    case 'assert':
      emitAssertion(statement, scope);
      return;
    case 'no-operation':
      return;
    default:
      unreachable(statement);
  }
}

function emitAssertion(
  { condition, place }: Extract<Statement, { kind: 'assert' }>,
  scope: Scope,
): void {
  const holds = operand(emitBoolean(condition, scope));
  scope.writer.line(code`if (!${holds}) failAssertion(${place});`);
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
