import { unreachable } from '../../../common/assert';
import { Identifier, code, operand } from '../text/code';
import { toIndex } from '../value/convert';
import { describePlace } from '../control/emit-action';
import { emitFlow } from '../control/emit-flow';
import { emitFunction } from '../value/emit-function';
import { loadBits } from '../expression/emit-bits';
import { emitExtract } from './emit-extract';
import { emitBoolean, emitData } from '../expression/emit-expression';
import { demandOf, writeTarget } from '../expression/emit-fields';
import { emitStatement } from '../statement/emit-statement';
import { emitTransition } from './emit-transition';
import { isCyclic, successorsOf } from './parser-graph';
import { emitLengthCheck, faultCode, stop } from './parser-faults';
import { constantOf } from '../value/value';
import type { ParserOperation, ParserState } from '../../ir/parser-nodes';
import type { Flow, GoTo } from '../control/emit-flow';
import type { Scope } from '../value/scope';

/** As in the interpreter: only a loop that consumes nothing passes so many states. */
const STATE_LIMIT = 10_000;

/**
 * The parser as the flow of its states. An error ends it with its code in the packet; what was
 * extracted so far stays.
 */
export function emitParser(outer: Scope): void {
  emitFunction(new Identifier('parse'), outer, [], (scope) => {
    const { writer, program } = scope;
    writer.line(code`let offset = 0;`);
    writer.line(code`packet.parserError = ${program.errors.get('NoError') ?? 0};`);
    if (program.parserStates[program.parserStart] === undefined) return;
    if (isCyclic(program.parserStates)) writer.line(code`let visits = 0;`);
    emitFlow(parserFlow(program.parserStates, scope), scope);
    writer.line(code`packet.offset = offset;`);
  });
}

function parserFlow(states: readonly ParserState[], scope: Scope): Flow {
  return {
    start: scope.program.parserStart,
    size: states.length,
    successors: (index) => states.slice(index, index + 1).flatMap(successorsOf),
    emit: (index, goTo) => {
      for (const state of states.slice(index, index + 1)) emitState(state, goTo, scope);
    },
    beforeEach: () => {
      const timeout = stop(faultCode('ParserTimeout', scope));
      scope.writer.line(code`if (visits++ >= ${STATE_LIMIT}) ${timeout}`);
    },
  };
}

function emitState(state: ParserState, goTo: GoTo, scope: Scope): void {
  scope.writer.comment(`state ${state.name}${describePlace(state)}`);
  for (const operation of state.operations) emitOperation(operation, scope);
  emitTransition(state, goTo, scope);
}

function emitOperation(operation: ParserOperation, scope: Scope): void {
  const { writer } = scope;
  switch (operation.kind) {
    case 'extract':
      emitExtract({ kind: 'header', header: operation.header }, scope);
      return;
    case 'extract-next':
      emitExtract({ kind: 'next', stack: operation.stack }, scope);
      return;
    case 'extract-next-member':
      emitExtract({ ...operation, kind: 'next-member' }, scope);
      return;
    case 'extract-varbit':
      emitExtract(operation.target, scope, operation.bits);
      return;
    case 'set': {
      const bits = demandOf(operation.target.format);
      writeTarget(operation.target, emitData(operation.value, scope, bits), scope);
      return;
    }
    case 'set-lookahead':
      emitLookahead(operation, scope);
      return;
    case 'verify': {
      const condition = operand(emitBoolean(operation.condition, scope));
      const error = toIndex(emitData(operation.error, scope));
      writer.line(code`if (!${condition}) ${stop(error)}`);
      return;
    }
    case 'advance':
      emitAdvance(operation, scope);
      return;
    case 'statement':
      emitParserStatement(operation.statement, scope);
      return;
    default:
      unreachable(operation);
  }
}

/** As on bmv2, the check counts the bytes of the value from here and ignores the offset. */
function emitLookahead(
  operation: Extract<ParserOperation, { kind: 'set-lookahead' }>,
  scope: Scope,
): void {
  const { bitOffset, width } = operation;
  emitLengthCheck(code`${(width + 7) >> 3}`, scope);
  const value = loadBits({ bytes: code`bytes`, base: code`offset`, bitOffset, width });
  writeTarget(operation.target, value, scope);
}

function emitAdvance({ bits }: Extract<ParserOperation, { kind: 'advance' }>, scope: Scope): void {
  const { writer } = scope;
  const distance = emitData(bits, scope);
  const invalid = stop(faultCode('ParserInvalidArgument', scope));
  const index = scope.bind(toIndex(distance), 'distance');
  const known = constantOf(distance);
  const isWhole = known !== undefined && known >= 0 && known % 8 === 0;
  if (!isWhole) writer.line(code`if (${index} < 0 || ${index} % 8 !== 0) ${invalid}`);
  const count = isWhole ? code`${known / 8}` : code`${index} / 8`;
  emitLengthCheck(count, scope);
  writer.line(code`offset += ${count};`);
}

function emitParserStatement(
  statement: Extract<ParserOperation, { kind: 'statement' }>['statement'],
  scope: Scope,
): void {
  // Loading refuses jumps in parser states.
  if (statement.kind === 'jump' || statement.kind === 'jump-if-false') return;
  if (statement.kind === 'hash') scope.writer.line(code`packet.offset = offset;`);
  emitStatement(statement, scope);
}
