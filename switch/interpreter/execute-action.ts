import { unreachable } from '../../common/assert';
import { failAssertion, formatMessage } from '../executor/executor';
import { callExtern, makeRequest } from './call-extern';
import { changeHeaders } from './change-headers';
import { evaluateBoolean, evaluateData } from './evaluate-expression';
import { writeField } from './write-field';
import type { Effect, Statement } from '../ir/statements';
import type { ActionCall } from '../control/table-control';
import type { InterpretedPacket } from './interpreted-packet';

/**
 * Runs an action. `exit` only sets a flag: as on bmv2, the rest of the action still runs and the
 * pipeline stops behind it.
 */
export function executeAction(call: ActionCall, packet: InterpretedPacket): void {
  const statements = packet.program.actions.get(call.actionId)?.statements ?? [];
  packet.arguments = call.arguments;
  let position = 0;
  while (position < statements.length) {
    const statement = statements[position];
    if (statement === undefined) break;
    position = nextPosition(statement, position, packet);
  }
}

/** Runs statements that do not jump, outside of actions. */
export function runStatements(statements: readonly Statement[], packet: InterpretedPacket): void {
  for (const statement of statements) {
    // Loading refuses jumps outside of actions.
    if (statement.kind === 'jump' || statement.kind === 'jump-if-false') continue;
    executeStatement(statement, packet);
  }
}

/** Runs one statement; returns the position of the next one. */
function nextPosition(statement: Statement, position: number, packet: InterpretedPacket): number {
  if (statement.kind === 'jump') return statement.to;
  if (statement.kind === 'jump-if-false') {
    return evaluateBoolean(statement.condition, packet) ? position + 1 : statement.to;
  }
  executeStatement(statement, packet);
  return position + 1;
}

function executeStatement(statement: Effect, packet: InterpretedPacket): void {
  switch (statement.kind) {
    case 'assign':
      writeField(statement.target, evaluateData(statement.value, packet), packet);
      return;
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
      changeHeaders(statement, packet);
      return;
    case 'drop':
      writeField(statement.egressSpec, packet.dropPort, packet);
      if (statement.clear !== undefined) writeField(statement.clear, 0n, packet);
      return;
    case 'exit':
      packet.exited = true;
      return;
    case 'register-read':
    case 'register-write':
    case 'hash':
    case 'count':
    case 'execute-meter':
    case 'random':
      callExtern(statement, packet);
      return;
    case 'clone':
    case 'resubmit':
    case 'recirculate':
    case 'digest':
    case 'truncate':
      makeRequest(statement, packet);
      return;
    case 'log':
      writeLog(statement, packet);
      return;
    case 'assert':
      if (!evaluateBoolean(statement.condition, packet)) failAssertion(statement.place);
      return;
    case 'no-operation':
      return;
    default:
      unreachable(statement);
  }
}

function writeLog(statement: Extract<Statement, { kind: 'log' }>, packet: InterpretedPacket): void {
  if (packet.log === undefined) return;
  const values = statement.arguments.map((value) => evaluateData(value, packet));
  packet.log(formatMessage(statement.format, values));
}
