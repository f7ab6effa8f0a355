import { encodeValue, refuseValue, valueOf, wordsOf } from './bytestring';
import type { Words } from './bytestring';
import { RpcError } from './codes';
import * as p4 from './generated/p4/v1/p4runtime';
import type { ActionInfo, FieldInfo } from './p4info';

/**
 * The message of an action (P4Runtime 1.5.0, section "Action Specification").
 * @param values its arguments, in the order of its parameters.
 */
export function encodeAction(action: ActionInfo, values: readonly bigint[]): p4.Action {
  const params = action.parameters.all.map((parameter, i) => {
    return new p4.ActionParam({ paramId: parameter.id, value: encodeValue(values[i] ?? 0n) });
  });
  return new p4.Action({ actionId: action.id, params });
}

/**
 * Reads the arguments of an action, in the order of its parameters.
 * @param where names the action in messages.
 * @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE naming action and parameter.
 */
export function decodeArguments(
  action: ActionInfo,
  params: readonly p4.ActionParam[],
  where: Words,
): bigint[] {
  // PERF: actions have few parameters; the first that is unknown or there twice ends the search.
  for (let i = 0; i < params.length; i++) {
    const { paramId } = params[i] as p4.ActionParam;
    const isTwice = paramOf(params, paramId) !== params[i];
    if (!isTwice && action.parameters.byNumber(paramId) !== undefined) continue;
    const reason = isTwice ? 'is set twice' : 'does not exist';
    throw new RpcError('INVALID_ARGUMENT', `${wordsOf(where)}: parameter ${paramId} ${reason}`);
  }
  const parameters = action.parameters.all;
  const values = new Array<bigint>(parameters.length);
  for (let i = 0; i < parameters.length; i++) {
    const { id, name, width } = parameters[i] as FieldInfo;
    const found = paramOf(params, id);
    if (found === undefined) {
      throw new RpcError('INVALID_ARGUMENT', `${wordsOf(where)}: parameter '${name}' is missing`);
    }
    const value = valueOf(found.value, width);
    values[i] = value ?? refuseValue(found.value, width, `${wordsOf(where)}, parameter '${name}'`);
  }
  return values;
}

/** The first parameter with a number. */
function paramOf(params: readonly p4.ActionParam[], id: number): p4.ActionParam | undefined {
  for (let i = 0; i < params.length; i++) {
    const each = params[i] as p4.ActionParam;
    if (each.paramId === id) return each;
  }
  return undefined;
}
