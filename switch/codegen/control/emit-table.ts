import { code } from '../text/code';
import { toBigint, toIndex, wrapUnsigned } from '../value/convert';
import { constantData, emitInlineAction, emitParameters } from './emit-action';
import { emitArithmetic } from '../value/emit-arithmetic';
import { COLOUR_MAX } from '../statement/emit-extern';
import { readField, validity } from '../expression/emit-fields';
import { writeTarget } from '../expression/emit-write';
import { NUMBER_BITS } from '../layout/representation';
import { constant, pair, ranged, truth } from '../value/value';
import type {
  TableSuccessor,
  Action,
  ConstantCall,
  KeyPart,
  TableLayout,
  Program,
} from '../../ir/nodes';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/**
 * Applies the table where it stands; returns code for the node that follows, where there are several.
 * PERF: a function of its own would hand what its actions set to the control through the packet's arrays.
 */
export function emitApply(
  table: TableLayout,
  next: TableSuccessor,
  scope: Scope,
): Code | undefined {
  const { writer, globals } = scope;
  const isFixed = successorsOf(table, next, scope).length === 1;
  const follows = isFixed ? undefined : code`${scope.local('next')}`;
  if (follows !== undefined) writer.line(code`let ${follows} = ${unlessHit(next)};`);
  writer.block(code``, () => {
    emitLookup(table, scope);
    if (table.key.length === 0) {
      writer.line(
        code`const data = ${globals.data(table.index)}.of(${globals.table(table.index)}.defaultAction);`,
      );
    } else {
      emitHit(table, scope);
      if (follows !== undefined && next.kind === 'hit-or-miss')
        writer.line(code`if (entry !== undefined) ${follows} = ${next.hit};`);
    }
    writer.block(code`if (data !== undefined)`, () => emitDispatch(table, next, follows, scope));
  });
  return follows;
}

const unlessHit = (next: TableSuccessor): number =>
  next.kind === 'hit-or-miss' ? next.miss : next.otherwise;

/** Statements that run a table's one call. */
export function emitOnlyCall(call: ConstantCall, scope: Scope): void {
  const action = scope.program.actions.get(call.actionId);
  if (action === undefined) return;
  if (scope.isInlined(call.actionId)) {
    emitInlineAction(action, valuesOf(call, action, scope), scope);
    return;
  }
  scope.writer.line(callAction(action, scope, constantData(action, valuesOf(call, action, scope))));
}

function valuesOf(call: ConstantCall, action: Action, scope: Scope): Value[] {
  return action.parameters.map(({ width }, i) =>
    wrapUnsigned(constant(call.arguments[i] ?? 0n), width, scope),
  );
}

/** The nodes that may follow a table. */
export function successorsOf(
  table: TableLayout,
  next: TableSuccessor,
  { program }: Scope,
): readonly number[] {
  const call = onlyCall(table);
  if (call !== undefined) return [onlySuccessor(next, call)];
  if (next.kind === 'hit-or-miss') return [...new Set([next.hit, next.miss])];
  const ids = callableActions(table, program).map(({ id }) => id);
  const chosen = ids.map((id) => next.byAction.get(id) ?? next.otherwise);
  return [...new Set([...chosen, next.otherwise])];
}

/** True if the key goes to the table as numbers; PERF: bigint keys cost three times as much. */
export function hasNumberKey(table: TableLayout): boolean {
  return table.key.every(({ width }) => width <= NUMBER_BITS);
}

/** Keyless tables have no entries, so they never hit. */
function emitLookup(table: TableLayout, scope: Scope): void {
  if (table.key.length === 0) return;
  const { writer, globals } = scope;
  const name = globals.table(table.index);
  writer.line(code`const key = ${globals.key(table.index)};`);
  table.key.forEach((part, i) => {
    const value = keyValue(part, scope);
    // A masked value of more than 32 bits is a pair of words.
    const text = hasNumberKey(table) ? toIndex(value) : toBigint(value);
    writer.line(code`key[${i}] = ${text};`);
  });
  const method = hasNumberKey(table) ? code`lookupNumbers` : code`lookup`;
  writer.line(code`const entry = ${name}.${method}(key);`);
}

/** A field of an invalid header reads as 0 here, unlike in an expression. */
function keyValue({ source, width, mask }: KeyPart, scope: Scope): Value {
  if (source.kind === 'validity') {
    return truth(validity(source.header, scope));
  }
  const { field } = source;
  const stored = wrapUnsigned(readField(field, scope), width, scope);
  const value =
    mask === undefined
      ? stored
      : emitArithmetic('&', { left: stored, right: constant(mask), bits: width }, scope);
  if (scope.layout.header(field.header).metadata) return value;
  return ifValid(code`${validity(field.header, scope)}`, value, width);
}

function ifValid(valid: Code, value: Value, width: number): Value {
  switch (value.kind) {
    case 'number':
      return ranged(code`${valid} ? ${value.code} : 0`, 0, value.high);
    case 'pair':
      return pair(code`${valid} ? ${value.high} : 0`, code`${valid} ? ${value.low} : 0`, width);
    case 'bigint':
      return { kind: 'bigint', code: code`${valid} ? ${value.code} : 0n` };
  }
}

/** PERF: entries without an idle timeout are not written to, and stay in all readers' caches. */
function emitHit(table: TableLayout, scope: Scope): void {
  const { writer, globals } = scope;
  const name = globals.table(table.index);
  if (table.withIdleTimeout || table.withCounters || table.directMeter !== undefined) {
    writer.block(code`if (entry !== undefined)`, () => {
      if (table.withIdleTimeout) writer.line(code`entry.lastHit = packet.now;`);
      if (table.withCounters) writer.line(code`countHit(entry, packet.receivedLength);`);
      emitDirectMeter(table, scope);
    });
  }
  const data = globals.data(table.index);
  writer.line(
    code`const data = entry === undefined ? ${data}.of(${name}.defaultAction) : ${data}.${callOf(table, scope)};`,
  );
}

function emitDirectMeter({ directMeter }: TableLayout, scope: Scope): void {
  if (directMeter === undefined) return;
  const unit = scope.program.meters[directMeter.meter]?.unit ?? 'packets';
  const colour = scope.keep(code`meterHit(entry, packet, ${unit})`, 'colour');
  writeTarget(directMeter.target, ranged(colour, 0, COLOUR_MAX), scope);
}

/**
 * Code for the call of a hit, with its data, as a method of the table's calls; it is undefined when the entry
 * refers to an empty group.
 */
function callOf(table: TableLayout, scope: Scope): Code {
  if (table.actionProfile === undefined) return code`ofEntry(entry)`;
  const name = scope.globals.table(table.index);
  const selector = scope.program.actionProfiles[table.actionProfile]?.selector;
  if (selector === undefined) return code`of(profileCall(${name}, entry, noHash, packet))`;
  const select = scope.globals.selector(table.actionProfile);
  // A hash that counts its calls has to be called for every packet.
  if (selector.algorithm.startsWith('round_robin'))
    return code`of(profileCall(${name}, entry, ${select}, packet))`;
  return code`ofChosen(${name}, entry, ${select}, packet)`;
}

function emitDispatch(
  table: TableLayout,
  next: TableSuccessor,
  follows: Code | undefined,
  scope: Scope,
): void {
  const { writer } = scope;
  const actions = callableActions(table, scope.program);
  writer.block(code`switch (data.actionId)`, () => {
    for (const action of actions) {
      writer.block(code`case ${action.id}:`, () => {
        emitCall(action, scope);
        if (follows !== undefined && next.kind === 'by-action')
          writer.line(code`${follows} = ${next.byAction.get(action.id) ?? next.otherwise};`);
        writer.line(code`break;`);
      });
    }
  });
}

/** Runs an action with the runtime data of a call. */
function emitCall(action: Action, scope: Scope): void {
  if (scope.isInlined(action.id)) emitInlineAction(action, emitParameters(action, scope), scope);
  else scope.writer.line(callAction(action, scope));
}

/** The call with the runtime data of its parameters, if it has any. */
function callAction({ id, parameters }: Action, { globals }: Scope, data = code`data`): Code {
  if (parameters.length === 0) return code`${globals.action(id)}(packet);`;
  return code`${globals.action(id)}(packet, ${data});`;
}

/** The one call that a table can make: it has no key, and its default action is constant. */
export function onlyCall(table: TableLayout): ConstantCall | undefined {
  const isFixed = table.key.length === 0 && table.defaultIsConstant;
  return isFixed && table.actionProfile === undefined ? table.defaultCall : undefined;
}

/** The node after a table that ran its one call. */
export function onlySuccessor(next: TableSuccessor, call: ConstantCall): number {
  if (next.kind === 'hit-or-miss') return next.miss;
  return next.byAction.get(call.actionId) ?? next.otherwise;
}

/** Actions that an entry of the table may run: members of a profile are shared between tables. */
export function callableActions(table: TableLayout, program: Program): Action[] {
  const { actionProfile } = table;
  const users =
    actionProfile === undefined
      ? [table]
      : program.tables.filter((other) => other.actionProfile === actionProfile);
  const ids = new Set([
    ...users.flatMap(({ actionIds }) => actionIds),
    ...users.flatMap(({ defaultCall }) => defaultCall?.actionId ?? []),
  ]);
  return [...ids].flatMap((id) => program.actions.get(id) ?? []);
}

/** True if applying the table may end the pipeline. */
export function mayExit(table: TableLayout, program: Program): boolean {
  const actions = callableActions(table, program);
  return actions.some(({ statements }) => statements.some(({ kind }) => kind === 'exit'));
}
