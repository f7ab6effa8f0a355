import { unreachable } from '../../common/assert';
import { code, joined, operand } from './code';
import { toBigint, toIndex } from './convert';
import { emitBoolean, emitData } from './emit-expression';
import { demandOf, writeTarget } from './emit-fields';
import { emitHashStatement } from './emit-hash';
import { emitAddHeader, emitHeaderIndex } from './emit-header';
import { emitRegisterRead, emitRegisterWrite } from './emit-register';
import { emitRequest } from './emit-request';
import { emitMeter, emitRandom } from './emit-extern';
import { emitUnionIndex } from './emit-union';
import { literal } from './value';
import type { Statement } from '../ir/statements';
import type { Code } from './code';
import type { Scope } from './scope';
import type { Value } from './value';

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
      const condition = operand(emitBoolean(statement.condition, scope));
      writer.line(code`if (!${condition}) failAssertion(${statement.place});`);
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
