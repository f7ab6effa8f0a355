import { lowerPrimitive } from './lower-primitive';
import { malformed } from '../json/place';
import type { JsonAction } from '../json/json-schema';
import type { Action } from '../nodes';
import type { Place } from '../json/place';
import type { Scope } from './scope';
import type { Statement } from '../statements';

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
