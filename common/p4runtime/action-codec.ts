import { decodeValue, encodeValue, wordsOf } from './bytestring';
import type { Words } from './bytestring';
import { RpcError } from './codes';
import * as p4 from './generated/p4/v1/p4runtime';
import type { ActionInfo } from './p4info';

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
  params.forEach(({ paramId }, i) => {
    const isTwice = params.findIndex((each) => each.paramId === paramId) < i;
    if (!isTwice && action.parameters.byNumber(paramId) !== undefined) return;
    const reason = isTwice ? 'is set twice' : 'does not exist';
    throw new RpcError('INVALID_ARGUMENT', `${wordsOf(where)}: parameter ${paramId} ${reason}`);
  });
  return action.parameters.all.map(({ id, name, width }) => {
    const found = params.find(({ paramId }) => paramId === id);
    const what = (): string => `${wordsOf(where)}, parameter '${name}'`;
    if (found !== undefined) return decodeValue(found.value, width, what);
    throw new RpcError('INVALID_ARGUMENT', `${wordsOf(where)}: parameter '${name}' is missing`);
  });
}
