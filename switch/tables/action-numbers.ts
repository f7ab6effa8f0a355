import type { ActionCall } from '../control/table-control';

type ActionNames = ReadonlyMap<number, { readonly name: string }>;

/** Numbers of actions in a new program by those of an old one, where both have the name. */
export function renumbering(old: ActionNames, next: ActionNames): ReadonlyMap<number, number> {
  const byName = new Map([...next].map(([id, { name }]) => [name, id]));
  return new Map([...old].map(([id, { name }]) => [id, byName.get(name) ?? id]));
}

/** The same call under the new number. Calls never change, so it is another object. */
export function renumber(call: ActionCall, numbers: ReadonlyMap<number, number>): ActionCall {
  const actionId = numbers.get(call.actionId) ?? call.actionId;
  return actionId === call.actionId ? call : { actionId, arguments: call.arguments };
}
