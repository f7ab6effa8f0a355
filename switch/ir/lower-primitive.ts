import { checked, lookUp } from './checked';
import { operandSchema } from './json-schema';
import { lowerBoolean, lowerConstant, lowerData, lowerHeader, lowerStack } from './lower-operand';
import { fieldTarget, lowerTarget } from './lower-target';
import { malformed, refuse } from './place';
import { headerOf } from './scope';
import type { DataExpression, HeaderExpression } from './expressions';
import type { JsonPrimitive } from './json-schema';
import type { Place } from './place';
import type { Scope } from './scope';
import type { FieldTarget, Statement } from './statements';

/** A primitive with its parameters still in JSON. */
interface Call {
  readonly scope: Scope;
  readonly parameters: readonly unknown[];
  readonly place: Place;
}

/** Lowers one primitive of an action. @throws InputError naming the primitive when unsupported. */
export function lowerPrimitive(scope: Scope, json: JsonPrimitive, outer: Place): Statement {
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

const PRIMITIVES = new Map<string, readonly [parameters: number, (call: Call) => Statement]>([
  ['assign', [2, (c) => ({ kind: 'assign', target: target(c, 0), value: data(c, 1) })]],
  ['assign_header', [2, lowerAssignHeader]],
  ['assign_header_stack', [2, lowerAssignStack]],
  ['add_header', [1, (c) => ({ kind: 'add-header', header: header(c, 0) })]],
  ['remove_header', [1, (c) => ({ kind: 'remove-header', header: header(c, 0) })]],
  ['push', [2, (c) => ({ kind: 'push', stack: stack(c, 0), count: constant(c, 1) })]],
  ['pop', [2, (c) => ({ kind: 'pop', stack: stack(c, 0), count: constant(c, 1) })]],
  ['mark_to_drop', [1, (c) => lowerDrop(c, true)]],
  ['drop', [0, (c) => lowerDrop(c, false)]],
  ['exit', [0, () => ({ kind: 'exit' })]],
  ['_jump', [1, (c) => ({ kind: 'jump', to: constant(c, 0) })]],
  ['_jump_if_zero', [2, lowerConditionalJump]],
  ['register_read', [3, lowerRegisterRead]],
  ['register_write', [3, lowerRegisterWrite]],
  ['modify_field_with_hash_based_offset', [4, lowerHash]],
  ['count', [2, lowerCount]],
  ['log_msg', [2, lowerLog]],
  ['assert', [1, lowerAssert]],
  ['assume', [1, lowerAssert]],
  ['no_op', [0, () => ({ kind: 'no-operation' })]],
]);

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

function lowerDrop(c: Call, clearMulticast: boolean): Statement {
  const egressSpec = c.scope.fields.get('standard_metadata.egress_spec');
  if (egressSpec === undefined) {
    return malformed("dropping needs the field 'standard_metadata.egress_spec'", c.place);
  }
  const group = c.scope.fields.get('standard_metadata.mcast_grp');
  return {
    kind: 'drop',
    egressSpec: fieldTarget(egressSpec),
    clear: clearMulticast && group !== undefined ? fieldTarget(group) : undefined,
  };
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

function lowerLog(c: Call): Statement {
  const format = checked(operandSchema, c.parameters[0], parameterPlace(c, 0)).value;
  const vector = checked(operandSchema, c.parameters[1], parameterPlace(c, 1)).value;
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
  type: 'register_array' | 'counter_array' | 'calculation',
): number {
  const place = parameterPlace(c, i);
  const operand = checked(operandSchema, c.parameters[i], place);
  if (operand.type !== type || typeof operand.value !== 'string') {
    return malformed(`wanted a ${type}, found a ${operand.type}`, place);
  }
  const names = {
    register_array: c.scope.registers,
    counter_array: c.scope.counters,
    calculation: c.scope.calculations,
  }[type];
  return lookUp(names, operand.value, type.replace('_', ' '), place);
}
