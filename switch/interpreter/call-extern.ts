import { unreachable } from '../../common/assert';
import { drawBetween } from '../runtime/bits';
import { computeHash } from './compute-hash';
import { evaluateData } from './evaluate-expression';
import { writeField } from './write-field';
import type { ExternStatement, RequestStatement, StatementOf } from '../ir/statements';
import type { InterpretedPacket } from './interpreted-packet';

/** Statements that use state beyond the packet, or functions that P4 does not define. */
export function callExtern(statement: ExternStatement, packet: InterpretedPacket): void {
  switch (statement.kind) {
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
    default:
      unreachable(statement);
  }
}

/** Outside the array the destination keeps its value. */
function readRegister(statement: StatementOf<'register-read'>, packet: InterpretedPacket): void {
  const array = packet.state.registerList[statement.array];
  const value = array?.read(evaluateData(statement.index, packet));
  if (value !== undefined) writeField(statement.target, value, packet);
}

function writeRegister(statement: StatementOf<'register-write'>, packet: InterpretedPacket): void {
  const index = evaluateData(statement.index, packet);
  const value = evaluateData(statement.value, packet);
  packet.state.registerList[statement.array]?.write(index, value);
}

/** In 64-bit arithmetic; a maximum of 0 counts as 1. */
function writeHash(statement: StatementOf<'hash'>, packet: InterpretedPacket): void {
  const inputs = packet.program.calculations[statement.calculation]?.inputs;
  const unit = packet.state.calculationList[statement.calculation];
  if (inputs === undefined || unit === undefined) return;
  const base = evaluateData(statement.base, packet);
  const max = BigInt.asUintN(64, evaluateData(statement.max, packet));
  const offset = computeHash(unit, inputs, packet) % (max === 0n ? 1n : max);
  writeField(statement.target, BigInt.asUintN(64, base + offset), packet);
}

/** Outside the array the destination keeps its value. */
function executeMeter(statement: StatementOf<'execute-meter'>, packet: InterpretedPacket): void {
  const array = packet.state.meterList[statement.array];
  const index = evaluateData(statement.index, packet);
  const colour = array?.execute(index, packet.now, packet.receivedLength);
  if (colour !== undefined) writeField(statement.target, BigInt(colour), packet);
}

function writeRandom(statement: StatementOf<'random'>, packet: InterpretedPacket): void {
  const low = BigInt.asUintN(64, evaluateData(statement.low, packet));
  const high = BigInt.asUintN(64, evaluateData(statement.high, packet));
  if (low <= high) writeField(statement.target, drawBetween(low, high, packet.random), packet);
}

/** bmv2 keeps 15 bits of a clone session's id. */
const SESSION_BITS = 15;

/** Notes what the architecture shall do behind the pipeline. The last call of a kind wins. */
export function makeRequest(statement: RequestStatement, packet: InterpretedPacket): void {
  const { requests } = packet;
  switch (statement.kind) {
    case 'clone': {
      const session = evaluateData(statement.session, packet);
      requests.cloneSession = Number(BigInt.asUintN(SESSION_BITS, session));
      requests.cloneFields = Number(evaluateData(statement.fieldList, packet));
      return;
    }
    case 'resubmit':
      requests.resubmit = Number(evaluateData(statement.fieldList, packet));
      return;
    case 'recirculate':
      requests.recirculate = Number(evaluateData(statement.fieldList, packet));
      return;
    case 'digest':
      requests.digest = Number(evaluateData(statement.digest, packet));
      return;
    case 'truncate': {
      // The smallest of several lengths counts.
      const length = Number(BigInt.asUintN(32, evaluateData(statement.length, packet)));
      requests.truncateTo = Math.min(requests.truncateTo, length);
      return;
    }
    default:
      unreachable(statement);
  }
}
