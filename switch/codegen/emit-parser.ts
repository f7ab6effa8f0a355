import { unreachable } from '../../common/assert';
import { code, operand } from './code';
import { toIndex } from './convert';
import { describePlace, emitViews } from './emit-action';
import { emitExtraction, loadBits } from './emit-bits';
import { emitBoolean, emitData } from './emit-expression';
import { demandOf, writeTarget } from './emit-fields';
import { emitStatement } from './emit-statement';
import { emitTransition } from './emit-transition';
import { isCyclic } from './parser-graph';
import { unsupported } from './unsupported';
import { constantOf } from './value';
import type { ParserOperation, ParserState } from '../ir/parser-nodes';
import type { Code } from './code';
import type { Scope } from './scope';

/** Names of the errors that the parser itself raises, as core.p4 declares them. */
type ParserFault =
  'PacketTooShort' | 'StackOutOfBounds' | 'ParserInvalidArgument' | 'ParserTimeout';

/** Codes of p4c, for programs that leave out the table of errors. */
const DEFAULT_CODES: Record<ParserFault, number> = {
  PacketTooShort: 1,
  StackOutOfBounds: 3,
  ParserTimeout: 5,
  ParserInvalidArgument: 6,
};

/** As in the interpreter: only a loop that consumes nothing passes so many states. */
const STATE_LIMIT = 10_000;

/**
 * The parser as a loop over states. An error ends it with its code in the packet; what was
 * extracted so far stays.
 */
export function emitParser(outer: Scope): void {
  const scope = outer.nested();
  const { writer, program } = scope;
  writer.block(code`function parse(packet)`, () => {
    emitViews(scope);
    writer.line(code`const { bytes } = packet;`);
    writer.line(code`let offset = 0;`);
    writer.line(code`packet.parserError = ${program.errors.get('NoError') ?? 0};`);
    if (program.parserStates[program.parserStart] === undefined) return;
    const counted = isCyclic(program.parserStates);
    if (counted) writer.line(code`let visits = 0;`);
    writer.block(code`for (let state = ${program.parserStart}; ; )`, () => {
      if (counted) {
        const timeout = stop(code`${errorCode('ParserTimeout', scope)}`);
        writer.line(code`if (visits++ >= ${STATE_LIMIT}) ${timeout}`);
      }
      writer.block(code`switch (state)`, () => {
        program.parserStates.forEach((state, index) => emitState(state, index, scope));
        writer.line(code`default:`);
        writer.line(code`  packet.offset = offset;`);
        writer.line(code`  return;`);
      });
    });
  });
  writer.blank();
}

function emitState(state: ParserState, index: number, scope: Scope): void {
  const { writer } = scope;
  writer.comment(`state ${state.name}${describePlace(state)}`);
  writer.block(code`case ${index}:`, () => {
    for (const operation of state.operations) emitOperation(operation, scope);
    emitTransition(state, scope);
    writer.line(code`continue;`);
  });
}

function emitOperation(operation: ParserOperation, scope: Scope): void {
  const { writer } = scope;
  switch (operation.kind) {
    case 'extract':
      emitExtract(operation.header, scope);
      return;
    case 'extract-next':
      emitExtractNext(operation.stack, scope);
      return;
    case 'extract-next-member':
      return unsupported('header unions');
    case 'extract-varbit':
      return unsupported('varbit fields');
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

/** A header that does not fit keeps its fields and its validity. */
function emitExtract(index: number, scope: Scope): void {
  const header = scope.layout.header(index);
  const { writer } = scope;
  emitLengthCheck(header.byteLength, scope);
  emitExtraction(header, { bytes: code`bytes`, base: code`offset` }, scope);
  writer.line(code`valid[${scope.globals.header(index)}] = 1;`);
  writer.line(code`offset += ${header.byteLength};`);
}

function emitExtractNext(stack: number, scope: Scope): void {
  const { writer } = scope;
  const headers = scope.program.stacks[stack]?.headers ?? [];
  const first = headers[0];
  if (first === undefined) return;
  const header = scope.layout.header(first);
  const index = scope.keep(code`counts[${stack}]`, 'next');
  const full = stop(code`${errorCode('StackOutOfBounds', scope)}`);
  writer.line(code`if (${index} >= ${headers.length}) ${full}`);
  emitLengthCheck(header.byteLength, scope);
  const element = { header: first, index, exists: undefined, stride: scope.layout.stride(stack) };
  emitExtraction(header, { bytes: code`bytes`, base: code`offset`, element }, scope);
  writer.line(code`valid[stackElement(packet, ${stack}, ${index})] = 1;`);
  writer.line(code`counts[${stack}] = ${index} + 1;`);
  writer.line(code`offset += ${header.byteLength};`);
}

/** As on bmv2, the check counts the bytes of the value from here and ignores the offset. */
function emitLookahead(
  operation: Extract<ParserOperation, { kind: 'set-lookahead' }>,
  scope: Scope,
): void {
  const { bitOffset, width } = operation;
  emitLengthCheck((width + 7) >> 3, scope);
  const value = loadBits({ bytes: code`bytes`, base: code`offset`, bitOffset, width });
  writeTarget(operation.target, value, scope);
}

function emitAdvance({ bits }: Extract<ParserOperation, { kind: 'advance' }>, scope: Scope): void {
  const { writer } = scope;
  const distance = emitData(bits, scope);
  const invalid = stop(code`${errorCode('ParserInvalidArgument', scope)}`);
  const index = scope.bind(toIndex(distance), 'distance');
  const known = constantOf(distance);
  const isWhole = known !== undefined && known >= 0 && known % 8 === 0;
  if (!isWhole) writer.line(code`if (${index} < 0 || ${index} % 8 !== 0) ${invalid}`);
  const count = isWhole ? code`${known / 8}` : code`${index} / 8`;
  const tooShort = stop(code`${errorCode('PacketTooShort', scope)}`);
  writer.line(code`if (offset + ${count} > bytes.length) ${tooShort}`);
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

function emitLengthCheck(byteLength: number, scope: Scope): void {
  const tooShort = stop(code`${errorCode('PacketTooShort', scope)}`);
  scope.writer.line(code`if (offset + ${byteLength} > bytes.length) ${tooShort}`);
}

function stop(error: Code): Code {
  return code`return stopParsing(packet, offset, ${error});`;
}

function errorCode(fault: ParserFault, scope: Scope): number {
  return scope.program.errors.get(fault) ?? DEFAULT_CODES[fault];
}
