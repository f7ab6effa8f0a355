import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { emitData, readCell } from '../expression/emit-expression';
import { writeTarget } from '../expression/emit-write';
import { representationOf } from '../layout/representation';
import { toBigint, toIndex, toPair, wrapUnsigned } from '../value/convert';
import { bigint, ranged, scalar } from '../value/value';
import { emitHashStatement } from './emit-hash';
import type { DataExpression } from '../../ir/expressions';
import type { RegisterArrayLayout } from '../../ir/nodes';
import type { ExternStatement, RequestStatement, StatementOf } from '../../ir/statements';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/** Width of the bounds of `random`. */
const BOUND_BITS = 64;
/** The largest colour: red. */
export const COLOUR_MAX = 2;

/** Statements that use state beyond the packet, or functions that P4 does not define. */
export function emitExtern(statement: ExternStatement, scope: Scope): void {
  switch (statement.kind) {
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
      scope.writer.line(code`${name}.count(${index}, packet.receivedLength);`);
      return;
    }
    case 'execute-meter':
      emitMeter(statement, scope);
      return;
    case 'random':
      emitRandom(statement, scope);
      return;
    default:
      unreachable(statement);
  }
}

/** Outside the array the destination keeps its value. */
function emitRegisterRead(statement: StatementOf<'register-read'>, scope: Scope): void {
  const { array, target } = statement;
  const layout = scope.program.registers[array];
  if (layout === undefined) return;
  const index = emitData(statement.index, scope);
  const read = (at: Code): void => writeTarget(target, readCell(array, at, scope), scope);
  if (isInside(index, layout)) {
    read(toIndex(index));
    return;
  }
  const at = scope.bindBeforeStore(scope.bind(toIndex(index), 'index'));
  const name = scope.globals.register(array);
  scope.writer.block(code`if (${name}.has(${at}))`, () => read(at));
}

function emitRegisterWrite(statement: StatementOf<'register-write'>, scope: Scope): void {
  const layout = scope.program.registers[statement.array];
  if (layout === undefined) return;
  const { width } = layout;
  const name = scope.globals.register(statement.array);
  const index = toIndex(emitData(statement.index, scope));
  const value = emitData(statement.value, scope, width);
  const wrapped = wrapUnsigned(value, width, scope);
  switch (representationOf(width)) {
    case 'word':
    case 'number':
      scope.writer.line(code`${name}.writeNumber(${index}, ${scalar(wrapped)});`);
      return;
    case 'pair': {
      const { high, low } = toPair(wrapped, scope);
      scope.writer.line(code`${name}.writePair(${index}, ${high}, ${low});`);
      return;
    }
    case 'bigint':
      scope.writer.line(code`${name}.write(${index}, ${toBigint(wrapped)});`);
  }
}

function isInside(index: Value, { size }: RegisterArrayLayout): boolean {
  return index.kind === 'number' && index.low >= 0 && index.high < size;
}

/** Outside the array the destination keeps its value. */
function emitMeter({ array, index, target }: StatementOf<'execute-meter'>, scope: Scope): void {
  const at = toIndex(emitData(index, scope));
  const execute = code`meters[${array}].execute(${at}, packet.now, packet.receivedLength)`;
  const colour = scope.keep(execute, 'colour');
  scope.writer.block(code`if (${colour} !== undefined)`, () =>
    writeTarget(target, ranged(colour, 0, COLOUR_MAX), scope),
  );
}

function emitRandom({ target, low, high }: StatementOf<'random'>, scope: Scope): void {
  const bound = (node: typeof low): ReturnType<typeof code> =>
    scope.keep(toBigint(wrapUnsigned(emitData(node, scope), BOUND_BITS, scope)), 'bound');
  const least = bound(low);
  const most = bound(high);
  scope.writer.block(code`if (${least} <= ${most})`, () => {
    const drawn = scope.keep(code`drawBetween(${least}, ${most}, random)`, 'drawn');
    writeTarget(target, bigint(drawn), scope);
  });
}

/** bmv2 keeps 15 bits of a clone session's id, and 32 of a length. */
const SESSION_BITS = 15;
const LENGTH_BITS = 32;

/** Notes what the architecture has to do behind the pipeline. */
export function emitRequest(statement: RequestStatement, scope: Scope): void {
  const value = (node: DataExpression, width = 0): Code => {
    const data = emitData(node, scope);
    return toIndex(width === 0 ? data : wrapUnsigned(data, width, scope));
  };
  const set = (name: Code, to: Code): void =>
    scope.writer.line(code`packet.requests.${name} = ${to};`);
  switch (statement.kind) {
    case 'clone':
      set(code`cloneSession`, value(statement.session, SESSION_BITS));
      set(code`cloneFields`, value(statement.fieldList));
      return;
    case 'resubmit':
      set(code`resubmit`, value(statement.fieldList));
      return;
    case 'recirculate':
      set(code`recirculate`, value(statement.fieldList));
      return;
    case 'digest':
      set(code`digest`, value(statement.digest));
      return;
    case 'truncate': {
      const length = value(statement.length, LENGTH_BITS);
      set(code`truncateTo`, code`Math.min(packet.requests.truncateTo, ${length})`);
      return;
    }
    default:
      unreachable(statement);
  }
}
