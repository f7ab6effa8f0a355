import { unreachable } from '../../../common/assert';
import { code, Identifier, joined, operand } from '../text/code';
import { toBigint, toIndex, wrapUnsigned } from '../value/convert';
import { describePlace } from '../control/emit-action';
import { emitBranches, emitFlow } from '../control/emit-flow';
import { orderFlow } from '../control/flow-graph';
import { emitFunction } from '../value/scope';
import { loadBits } from '../expression/emit-bits';
import { emitExtract, emitLengthCheck, fail, stop } from './emit-extract';
import { STATE_LIMIT } from '../../ir/parser-nodes';
import { emitBoolean, emitData } from '../expression/emit-expression';
import { emitComparison } from '../value/emit-comparison';
import { demandOf } from '../expression/emit-fields';
import { writeTarget } from '../expression/emit-write';
import { emitStatement } from '../statement/emit-statement';
import { bigint, constant, constantOf, pair, ranged } from '../value/value';
import { emitArithmetic } from '../value/emit-arithmetic';
import type {
  ParserOperation,
  ParserState,
  TransitionKeyPart,
  ValueTransition,
} from '../../ir/parser-nodes';
import type { Branch, Flow, GoTo } from '../control/emit-flow';
import type { Scope } from '../value/scope';
import type { Code } from '../text/code';
import type { Value } from '../value/value';

/**
 * The parser as the flow of its states. An error ends it with its code in the packet; what was
 * extracted so far stays.
 */
export function emitParser(outer: Scope): void {
  emitFunction(new Identifier('parse'), outer, (scope) => {
    const { writer, program } = scope;
    writer.line(code`let offset = packet.start;`);
    writer.line(code`packet.parserError = ${program.errors.get('NoError') ?? 0};`);
    if (program.parserStates[program.parserStart] === undefined) return;
    const flow = parserFlow(program.parserStates, scope);
    if (orderFlow(flow) === undefined) writer.line(code`let visits = 0;`);
    emitFlow(flow, scope);
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
      const timeout = fail('ParserTimeout', scope);
      scope.writer.line(code`if (visits++ >= ${STATE_LIMIT}) ${timeout}`);
    },
  };
}

/** Successors of a state, its default last. */
function successorsOf({ transitions, defaultNext }: ParserState): number[] {
  return [...transitions.map(({ next }) => next), defaultNext];
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
  const invalid = fail('ParserInvalidArgument', scope);
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

interface KeyPart {
  readonly value: Value;
  /** Width in the concatenated key, where all parts but a single one fill whole bytes. */
  readonly width: number;
}

/** Leads to the next state. The parts of the key are compared one by one, so none grows wide. */
function emitTransition(state: ParserState, goTo: GoTo, scope: Scope): void {
  const parts = state.transitions.length === 0 ? [] : keyParts(state.key, scope);
  const total = parts.reduce((sum, part) => sum + part.width, 0);
  const branches = state.transitions.flatMap((transition): Branch[] => {
    const { next } = transition;
    if (transition.kind === 'value-set') {
      const list = joined(
        parts.map((part) => toBigint(part.value)),
        ', ',
      );
      return [{ condition: code`valueSets[${transition.valueSet}].has([${list}])`, next }];
    }
    const { value } = transition;
    if (value < 0n || value >= 1n << BigInt(total)) return [];
    return [{ condition: matches(transition, parts, scope), next }];
  });
  emitBranches(branches, state.defaultNext, goTo, scope);
}

function keyParts(key: readonly TransitionKeyPart[], scope: Scope): KeyPart[] {
  return key.map((part) => ({
    value: keepValue(keyValue(part, scope), scope),
    width: key.length === 1 ? part.width : (part.width + 7) & ~7,
  }));
}

function keyValue(part: TransitionKeyPart, scope: Scope): Value {
  if (part.kind === 'lookahead') {
    return loadBits({ ...part, bytes: code`bytes`, base: code`offset` });
  }
  return wrapUnsigned(emitData(part.value, scope, part.width), part.width, scope);
}

/** The value in constants, for it is compared several times. */
function keepValue(value: Value, scope: Scope): Value {
  switch (value.kind) {
    case 'number':
      return ranged(scope.keep(value.code, 'key'), value.low, value.high);
    case 'pair':
      return pair(scope.keep(value.high, 'high'), scope.keep(value.low, 'low'), value.width);
    case 'bigint':
      return bigint(scope.keep(value.code, 'key'));
  }
}

/** All parts agree with their piece of the value under their piece of the mask. */
function matches({ value, mask }: ValueTransition, parts: readonly KeyPart[], scope: Scope): Code {
  let shift = BigInt(parts.reduce((sum, part) => sum + part.width, 0));
  const conditions = parts.flatMap((part) => {
    shift -= BigInt(part.width);
    const wanted = BigInt.asUintN(part.width, value >> shift);
    const partMask = mask === undefined ? undefined : BigInt.asUintN(part.width, mask >> shift);
    if (partMask === 0n && wanted === 0n) return [];
    return [operand(emitComparison('==', masked(part, partMask, scope), constant(wanted), scope))];
  });
  return conditions.length === 0 ? code`true` : joined(conditions, ' && ');
}

function masked({ value, width }: KeyPart, mask: bigint | undefined, scope: Scope): Value {
  if (mask === undefined || mask === (1n << BigInt(width)) - 1n) return value;
  return emitArithmetic('&', { left: value, right: constant(mask), bits: Infinity }, scope);
}
