import { unreachable } from '../../common/assert';
import { ProgramAssertionError } from '../executor';
import { fit } from '../runtime/bits';
import { computeHash } from './compute-hash';
import { evaluateBoolean, evaluateData } from './evaluate-expression';
import {
  addHeader,
  assignHeader,
  assignStack,
  popStack,
  pushStack,
  removeHeader,
  resolveHeader,
} from './header-operations';
import { assignVarbit } from './varbit';
import { drawBetween } from './draw';
import { requestClone, requestTruncation } from './requests';
import {
  assignUnion,
  assignUnionStack,
  popUnions,
  pushUnions,
  resolveUnion,
} from './union-operations';
import type { FieldTarget, Statement } from '../ir/statements';
import type { ActionCall } from '../tables/types';
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

/** Runs one statement and tells which one follows. */
function nextPosition(statement: Statement, position: number, packet: InterpretedPacket): number {
  if (statement.kind === 'jump') return statement.to;
  if (statement.kind === 'jump-if-false') {
    return evaluateBoolean(statement.condition, packet) ? position + 1 : statement.to;
  }
  executeStatement(statement, packet);
  return position + 1;
}

/** Everything that a primitive can do except jump. */
type Effect = Exclude<Statement, { kind: 'jump' | 'jump-if-false' }>;

export function executeStatement(statement: Effect, packet: InterpretedPacket): void {
  switch (statement.kind) {
    case 'assign':
      writeField(statement.target, evaluateData(statement.value, packet), packet);
      return;
    case 'assign-header': {
      const target = resolveHeader(statement.target, packet);
      assignHeader(target, resolveHeader(statement.source, packet), packet);
      return;
    }
    case 'assign-stack':
      assignStack(statement.target, statement.source, packet);
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
    case 'drop':
      writeField(statement.egressSpec, packet.dropPort, packet);
      if (statement.clear !== undefined) writeField(statement.clear, 0n, packet);
      return;
    case 'assign-varbit':
      assignVarbit(statement, packet);
      return;
    case 'assign-union': {
      const target = resolveUnion(statement.target, packet);
      assignUnion(target, resolveUnion(statement.source, packet), packet);
      return;
    }
    case 'assign-union-stack':
      assignUnionStack(statement.target, statement.source, packet);
      return;
    case 'push-unions':
      pushUnions(statement.unionStack, statement.count, packet);
      return;
    case 'pop-unions':
      popUnions(statement.unionStack, statement.count, packet);
      return;
    case 'exit':
      packet.exited = true;
      return;
    case 'register-read':
      readRegister(statement, packet);
      return;
    case 'register-write':
      writeRegister(statement, packet);
      return;
    case 'hash':
      writeHash(statement, packet);
      return;
    case 'count':
      return packet.state.counterList[statement.array]?.count(
        evaluateData(statement.index, packet),
        packet.receivedLength,
      );
    case 'execute-meter':
      executeMeter(statement, packet);
      return;
    case 'random':
      writeRandom(statement, packet);
      return;
    case 'clone':
      requestClone(statement, packet);
      return;
    case 'resubmit':
      packet.requests.resubmit = Number(evaluateData(statement.fieldList, packet));
      return;
    case 'recirculate':
      packet.requests.recirculate = Number(evaluateData(statement.fieldList, packet));
      return;
    case 'digest':
      packet.requests.digest = Number(evaluateData(statement.digest, packet));
      return;
    case 'truncate':
      requestTruncation(evaluateData(statement.length, packet), packet);
      return;
    case 'log':
      writeLog(statement, packet);
      return;
    case 'assert':
      if (evaluateBoolean(statement.condition, packet)) return;
      throw new ProgramAssertionError(`assertion of the program fails at ${statement.place}`);
    case 'no-operation':
      return;
    default:
      unreachable(statement);
  }
}

/** Writes a value in the field's format; nothing happens when a stack has no such element. */
export function writeField(target: FieldTarget, value: bigint, packet: InterpretedPacket): void {
  if (target.kind === 'field') {
    packet.values[target.slot] = fit(value, target.format);
    return;
  }
  const header = packet.header(resolveHeader(target.header, packet));
  if (header === undefined) return;
  packet.values[header.firstSlot + target.offset] = fit(value, target.format);
}

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** Outside the array the destination keeps its value. */
function readRegister(statement: Of<'register-read'>, packet: InterpretedPacket): void {
  const array = packet.state.registerList[statement.array];
  const value = array?.read(evaluateData(statement.index, packet));
  if (value !== undefined) writeField(statement.target, value, packet);
}

function writeRegister(statement: Of<'register-write'>, packet: InterpretedPacket): void {
  const index = evaluateData(statement.index, packet);
  const value = evaluateData(statement.value, packet);
  packet.state.registerList[statement.array]?.write(index, value);
}

/** In 64-bit arithmetic; a maximum of 0 counts as 1. */
function writeHash(statement: Of<'hash'>, packet: InterpretedPacket): void {
  const inputs = packet.program.calculations[statement.calculation]?.inputs;
  const unit = packet.state.calculationList[statement.calculation];
  if (inputs === undefined || unit === undefined) return;
  const base = evaluateData(statement.base, packet);
  const max = BigInt.asUintN(64, evaluateData(statement.max, packet));
  const offset = computeHash(unit, inputs, packet) % (max === 0n ? 1n : max);
  writeField(statement.target, BigInt.asUintN(64, base + offset), packet);
}

/** Outside the array the destination keeps its value. */
function executeMeter(statement: Of<'execute-meter'>, packet: InterpretedPacket): void {
  const array = packet.state.meterList[statement.array];
  const index = evaluateData(statement.index, packet);
  const colour = array?.execute(index, packet.now, packet.receivedLength);
  if (colour !== undefined) writeField(statement.target, BigInt(colour), packet);
}

function writeRandom(statement: Of<'random'>, packet: InterpretedPacket): void {
  const low = BigInt.asUintN(64, evaluateData(statement.low, packet));
  const high = BigInt.asUintN(64, evaluateData(statement.high, packet));
  if (low <= high) writeField(statement.target, drawBetween(low, high, packet.random), packet);
}

/** Fills the `{}` of the format from left to right. */
function writeLog(statement: Of<'log'>, packet: InterpretedPacket): void {
  if (packet.log === undefined) return;
  let next = 0;
  const text = statement.format.replace(/\{\}/g, (braces) => {
    const value = statement.arguments[next++];
    return value === undefined ? braces : evaluateData(value, packet).toString();
  });
  packet.log(text);
}
