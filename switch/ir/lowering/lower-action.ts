import { malformed, refuse, checked, lookUp } from './checked';
import { operandSchema } from './json-schema';
import {
  fieldTarget,
  lowerBoolean,
  lowerConstant,
  lowerData,
  lowerHeader,
  lowerOperand,
  lowerStack,
  lowerTarget,
  lowerUnion,
  lowerUnionStack,
} from './lower-expression';
import { headerOf, unionOf } from './scope';
import type { JsonAction, JsonPrimitive } from './json-schema';
import type { Action } from '../nodes';
import type { Place } from './checked';
import type { Scope } from './scope';
import type { FieldTarget, Statement } from '../statements';
import type { ArithmeticOperator, DataExpression, HeaderExpression } from '../expressions';

/** Lowers all actions. One P4 action may occur once per table, so ids identify, not names. */
export function lowerActions(
  scope: Scope,
  json: readonly JsonAction[],
  place: Place,
): ReadonlyMap<number, Action> {
  const actions = new Map<number, Action>();
  json.forEach((action, i) => {
    const at = place.child(i).in(action.source_info);
    if (actions.has(action.id)) malformed(`two actions have the id ${action.id}`, at);
    actions.set(action.id, lowerAction(scope, action, place.child(i)));
  });
  return actions;
}

function lowerAction(scope: Scope, json: JsonAction, outer: Place): Action {
  const place = outer.in(json.source_info);
  const inner: Scope = { ...scope, parameterCount: json.runtime_data.length };
  const statements = json.primitives.map((primitive, i) =>
    lowerPrimitive(inner, primitive, place.child('primitives').child(i)),
  );
  statements.forEach((statement, i) => {
    checkJump(statement, i, statements.length, place);
  });
  return {
    id: json.id,
    name: json.name,
    source: place.in(json.primitives[0]?.source_info).source,
    parameters: json.runtime_data.map(({ name, bitwidth }) => ({ name, width: bitwidth })),
    statements,
  };
}

/** Loops of an action jump backwards; whether they end is up to the program, as on bmv2. */
function checkJump(statement: Statement, position: number, count: number, place: Place): void {
  if (statement.kind !== 'jump' && statement.kind !== 'jump-if-false') return;
  if (statement.to >= 0 && statement.to <= count) return;
  malformed(`statement ${position} jumps to ${statement.to}, out of the action`, place);
}

/** A primitive with its parameters still in JSON. */
interface Call {
  readonly scope: Scope;
  readonly parameters: readonly unknown[];
  readonly place: Place;
}

const parameterPlace = (c: Call, i: number): Place => c.place.child('parameters').child(i);

const target = (c: Call, i: number): FieldTarget =>
  lowerTarget(c.scope, c.parameters[i], parameterPlace(c, i));
const data = (c: Call, i: number): DataExpression =>
  lowerData(c.scope, c.parameters[i], parameterPlace(c, i));
const header = (c: Call, i: number): HeaderExpression =>
  lowerHeader(c.scope, c.parameters[i], parameterPlace(c, i));
const stack = (c: Call, i: number): number =>
  lowerStack(c.scope, c.parameters[i], parameterPlace(c, i));
const constant = (c: Call, i: number): number =>
  lowerConstant(c.scope, c.parameters[i], parameterPlace(c, i));

/** A parameter that names an array or a calculation; returns its position. */
function instance(
  c: Call,
  i: number,
  type: 'register_array' | 'counter_array' | 'meter_array' | 'calculation',
): number {
  const place = parameterPlace(c, i);
  const operand = checked(operandSchema, c.parameters[i], place);
  if (operand.type !== type || typeof operand.value !== 'string') {
    return malformed(`wanted a ${type}, found a ${operand.type}`, place);
  }
  const names = {
    register_array: c.scope.registers,
    counter_array: c.scope.counters,
    meter_array: c.scope.meters,
    calculation: c.scope.calculations,
  }[type];
  return lookUp(names, operand.value, type.replace('_', ' '), place);
}

/** Lowers one primitive of an action. @throws InputError naming the primitive when unsupported. */
function lowerPrimitive(scope: Scope, json: JsonPrimitive, outer: Place): Statement {
  const place = outer.in(json.source_info);
  const primitive = PRIMITIVES.get(json.op);
  if (primitive === undefined) return refuse(`primitive '${json.op}'`, place);
  const [count, lower] = primitive;
  if (json.parameters.length !== count) {
    const found = json.parameters.length;
    return malformed(`'${json.op}' wants ${count} parameters, found ${found}`, place);
  }
  return lower({ scope, parameters: json.parameters, place });
}

/** As {@link lowerPrimitive}, for parser states and the deparser: they have nothing to jump over. */
export function lowerStraightPrimitive(scope: Scope, json: JsonPrimitive, place: Place): Statement {
  const statement = lowerPrimitive(scope, json, place);
  if (statement.kind !== 'jump' && statement.kind !== 'jump-if-false') return statement;
  return refuse(`primitive '${json.op}' outside of an action`, place);
}

/** Number of parameters of a primitive, and its lowered form. */
type Lowering = readonly [parameters: number, (call: Call) => Statement];

/** Primitives of P4-14, which compilers before P4-16 wrote: each is an assignment. */
const LEGACY_PRIMITIVES: readonly (readonly [name: string, Lowering])[] = [
  ['modify_field', [2, (c) => assign(c, data(c, 1))]],
  ['add_to_field', [2, (c) => assign(c, operation('+', data(c, 0), data(c, 1)))]],
  ['subtract_from_field', [2, (c) => assign(c, operation('-', data(c, 0), data(c, 1)))]],
  ...(
    [
      ['add', '+'],
      ['subtract', '-'],
      ['bit_and', '&'],
      ['bit_or', '|'],
      ['bit_xor', '^'],
      ['shift_left', '<<'],
      ['shift_right', '>>'],
    ] as const
  ).map(
    ([name, operator]) =>
      [name, [3, (c: Call) => assign(c, operation(operator, data(c, 1), data(c, 2)))]] as const,
  ),
];

const PRIMITIVES = new Map<string, Lowering>([
  ['assign', [2, (c) => ({ kind: 'assign', target: target(c, 0), value: data(c, 1) })]],
  ['assign_VL', [2, lowerAssignVarbit]],
  ['assign_header', [2, lowerAssignHeader]],
  ['copy_header', [2, lowerAssignHeader]],
  ['assign_union', [2, lowerAssignUnion]],
  ['assign_union_stack', [2, lowerAssignUnionStack]],
  ['assign_header_stack', [2, lowerAssignStack]],
  ['add_header', [1, (c) => ({ kind: 'add-header', header: header(c, 0) })]],
  ['remove_header', [1, (c) => ({ kind: 'remove-header', header: header(c, 0) })]],
  ['push', [2, (c) => lowerShift('push', c)]],
  ['pop', [2, (c) => lowerShift('pop', c)]],
  ['mark_to_drop', [1, lowerMarkToDrop]],
  ['drop', [0, (c) => lowerDrop(c, 'standard_metadata')]],
  ['exit', [0, () => ({ kind: 'exit' })]],
  ['_jump', [1, (c) => ({ kind: 'jump', to: constant(c, 0) })]],
  ['_jump_if_zero', [2, lowerConditionalJump]],
  ['register_read', [3, lowerRegisterRead]],
  ['register_write', [3, lowerRegisterWrite]],
  ['modify_field_with_hash_based_offset', [4, lowerHash]],
  ['count', [2, lowerCount]],
  ['execute_meter', [3, lowerMeter]],
  ['modify_field_rng_uniform', [3, lowerRandom]],
  ['clone_ingress_pkt_to_egress', [2, lowerClone]],
  ['clone_egress_pkt_to_egress', [2, lowerClone]],
  ['resubmit', [1, (c) => ({ kind: 'resubmit', fieldList: fieldListId(c, 0) })]],
  ['recirculate', [1, (c) => ({ kind: 'recirculate', fieldList: fieldListId(c, 0) })]],
  ['generate_digest', [2, lowerDigest]],
  ['truncate', [1, (c) => ({ kind: 'truncate', length: data(c, 0) })]],
  ['log_msg', [2, lowerLog]],
  ['assert', [1, lowerAssert]],
  ['assume', [1, lowerAssert]],
  ['no_op', [0, () => ({ kind: 'no-operation' })]],
  ...LEGACY_PRIMITIVES,
]);

/** Both sides are fields of variable width and of one type. */
function lowerAssignVarbit(c: Call): Statement {
  const to = target(c, 0);
  const from = target(c, 1);
  const [targetHeader, targetOffset] = headerAndOffset(c, to);
  const [sourceHeader, sourceOffset] = headerAndOffset(c, from);
  const fields = [headerOf(c.scope, targetHeader, c.place).fields[targetOffset]];
  fields.push(headerOf(c.scope, sourceHeader, c.place).fields[sourceOffset]);
  if (!fields.every((field) => field?.variable === true)) {
    return malformed('wanted two varbit fields', c.place);
  }
  return { kind: 'assign-varbit', target: targetHeader, source: sourceHeader };
}

function headerAndOffset(c: Call, field: FieldTarget): [HeaderExpression, number] {
  if (field.kind === 'header-field') return [field.header, field.offset];
  const owner = c.scope.headerList.find(
    ({ firstSlot, fields }) => field.slot >= firstSlot && field.slot < firstSlot + fields.length,
  );
  if (owner === undefined) return malformed('wanted a field of a header', c.place);
  return [{ kind: 'header', header: owner.index }, field.slot - owner.firstSlot];
}

function lowerAssignUnion(c: Call): Statement {
  const to = lowerUnion(c.scope, c.parameters[0], parameterPlace(c, 0));
  const from = lowerUnion(c.scope, c.parameters[1], parameterPlace(c, 1));
  if (unionOf(c.scope, to, c.place).typeName !== unionOf(c.scope, from, c.place).typeName) {
    malformed('assigns a header union of another type', c.place);
  }
  return { kind: 'assign-union', target: to, source: from };
}

function lowerAssignUnionStack(c: Call): Statement {
  const to = lowerUnionStack(c.scope, c.parameters[0], parameterPlace(c, 0));
  const from = lowerUnionStack(c.scope, c.parameters[1], parameterPlace(c, 1));
  const stacks = [...c.scope.unionStacks.values()];
  const shape = (i: number): string =>
    `${stacks[i]?.typeName ?? ''}[${stacks[i]?.unions.length ?? 0}]`;
  if (shape(to) !== shape(from)) malformed(`assigns a ${shape(from)} to a ${shape(to)}`, c.place);
  return { kind: 'assign-union-stack', target: to, source: from };
}

function lowerShift(kind: 'push' | 'pop', c: Call): Statement {
  const operand = lowerOperand(c.scope, c.parameters[0], parameterPlace(c, 0));
  const count = constant(c, 1);
  if (operand.type === 'union-stack') {
    return { kind: `${kind}-unions`, unionStack: operand.unionStack, count };
  }
  return { kind, stack: stack(c, 0), count };
}

function lowerAssignHeader(c: Call): Statement {
  const assigned = header(c, 0);
  const source = header(c, 1);
  const wanted = headerOf(c.scope, assigned, c.place).typeName;
  const found = headerOf(c.scope, source, c.place).typeName;
  if (wanted !== found) malformed(`assigns a '${found}' to a '${wanted}'`, c.place);
  return { kind: 'assign-header', target: assigned, source };
}

function lowerAssignStack(c: Call): Statement {
  const stacks = [...c.scope.stacks.values()];
  const assigned = stack(c, 0);
  const source = stack(c, 1);
  if (stacks[assigned]?.typeName !== stacks[source]?.typeName) {
    malformed('assigns a header stack of another type', c.place);
  }
  if (stacks[assigned]?.headers.length !== stacks[source]?.headers.length) {
    malformed('assigns a header stack of another size', c.place);
  }
  return { kind: 'assign-stack', target: assigned, source };
}

/**
 * Marks the standard metadata that it is given: where an action has a parameter of that type, p4c
 * gives it a copy, which the program writes back or not.
 */
function lowerMarkToDrop(c: Call): Statement {
  const metadata = header(c, 0);
  if (metadata.kind !== 'header') return malformed('wanted standard metadata', c.place);
  const { name } = headerOf(c.scope, metadata, c.place);
  const group = c.scope.fields.get(`${name}.mcast_grp`);
  return { ...lowerDrop(c, name), clear: group && fieldTarget(group) };
}

function lowerDrop(c: Call, metadata: string): Extract<Statement, { kind: 'drop' }> {
  const egressSpec = c.scope.fields.get(`${metadata}.egress_spec`);
  if (egressSpec === undefined) {
    return malformed(`dropping needs the field '${metadata}.egress_spec'`, c.place);
  }
  return { kind: 'drop', egressSpec: fieldTarget(egressSpec), clear: undefined };
}

function lowerConditionalJump(c: Call): Statement {
  const condition = lowerBoolean(c.scope, c.parameters[0], parameterPlace(c, 0));
  return { kind: 'jump-if-false', condition, to: constant(c, 1) };
}

function lowerRegisterRead(c: Call): Statement {
  const array = instance(c, 1, 'register_array');
  return { kind: 'register-read', target: target(c, 0), array, index: data(c, 2) };
}

function lowerRegisterWrite(c: Call): Statement {
  const array = instance(c, 0, 'register_array');
  return { kind: 'register-write', array, index: data(c, 1), value: data(c, 2) };
}

function lowerHash(c: Call): Statement {
  const calculation = instance(c, 2, 'calculation');
  return { kind: 'hash', target: target(c, 0), base: data(c, 1), calculation, max: data(c, 3) };
}

function lowerCount(c: Call): Statement {
  return { kind: 'count', array: instance(c, 0, 'counter_array'), index: data(c, 1) };
}

function lowerMeter(c: Call): Statement {
  const array = instance(c, 0, 'meter_array');
  return { kind: 'execute-meter', array, index: data(c, 1), target: target(c, 2) };
}

function lowerRandom(c: Call): Statement {
  return { kind: 'random', target: target(c, 0), low: data(c, 1), high: data(c, 2) };
}

function lowerClone(c: Call): Statement {
  return { kind: 'clone', session: data(c, 0), fieldList: fieldListId(c, 1) };
}

/** An id of 0 stands for no field list. */
function fieldListId(c: Call, i: number): DataExpression {
  return declaredId(c, i, { what: 'field list', ids: c.scope.fieldListIds, mayBeNone: true });
}

/** The first parameter, the receiver, means nothing on this target. */
function lowerDigest(c: Call): Statement {
  const wanted = { what: 'digest', ids: c.scope.digestIds, mayBeNone: false };
  return { kind: 'digest', digest: declaredId(c, 1, wanted) };
}

function declaredId(
  c: Call,
  i: number,
  wanted: { readonly what: string; readonly ids: ReadonlySet<number>; readonly mayBeNone: boolean },
): DataExpression {
  const id = data(c, i);
  if (id.kind !== 'constant') return id;
  if (wanted.ids.has(Number(id.value)) || (wanted.mayBeNone && id.value === 0n)) return id;
  return malformed(`${wanted.what} ${id.value} is not declared`, parameterPlace(c, i));
}

function lowerLog(c: Call): Statement {
  const format = checked(operandSchema, c.parameters[0], parameterPlace(c, 0)).value;
  const listed = checked(operandSchema, c.parameters[1], parameterPlace(c, 1)).value;
  // p4c writes {} instead of [] when there are no values.
  const vector = JSON.stringify(listed) === '{}' ? [] : listed;
  if (typeof format !== 'string' || !Array.isArray(vector)) {
    return malformed('wanted a text and a list of values', c.place);
  }
  const place = parameterPlace(c, 1).child('value');
  const values = vector.map((value, i) => lowerData(c.scope, value, place.child(i)));
  return { kind: 'log', format, arguments: values };
}

function lowerAssert(c: Call): Statement {
  const condition = lowerBoolean(c.scope, c.parameters[0], parameterPlace(c, 0));
  return { kind: 'assert', condition, place: c.place.toString() };
}

function assign(call: Call, value: DataExpression): Statement {
  return { kind: 'assign', target: target(call, 0), value };
}

function operation(
  operator: ArithmeticOperator,
  left: DataExpression,
  right: DataExpression,
): DataExpression {
  return { kind: 'arithmetic', operator, left, right };
}
