import { StateError } from '../control/table-control';
import type { ActionCall, ActionSignature } from '../control/table-control';

/**
 * Checks that an action is among those that are allowed here and that its arguments fit.
 * @throws StateError 'invalid' naming the action and what was wanted.
 */
export function checkCall(
  where: string,
  allowed: ReadonlyMap<number, ActionSignature>,
  call: ActionCall,
): void {
  const action = allowed.get(call.actionId);
  if (action === undefined) {
    throw new StateError('invalid', `${where}: it has no action with the id ${call.actionId}`);
  }
  const { name, parameters } = action;
  if (call.arguments.length !== parameters.length) {
    const found = call.arguments.length;
    const message = `${where}: action '${name}' wants ${parameters.length} values, found ${found}`;
    throw new StateError('invalid', message);
  }
  parameters.forEach((parameter, i) => {
    const value = call.arguments[i] ?? 0n;
    if (value >= 0n && value < 1n << BigInt(parameter.width)) return;
    const wanted = `an unsigned number of ${parameter.width} bits`;
    const which = `parameter '${parameter.name}' of '${name}'`;
    const message = `${where}: ${which} wants ${wanted}, found ${value.toString()}`;
    throw new StateError('invalid', message);
  });
}
