import { decodeArguments, encodeAction } from '../../../common/p4runtime/action-codec';
import { RpcError } from '../../../common/p4runtime/codes';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type {
  ActionInfo,
  ActionProfileInfo,
  TableActionInfo,
  TableInfo,
} from '../../../common/p4runtime/p4info';
import type { ActionCall, ActionSignature } from '../../control/table-control';
import type { RunningPipeline } from '../state/running-pipeline';

/**
 * Reads the action of a table entry or of a table's default entry.
 * @throws RpcError INVALID_ARGUMENT, OUT_OF_RANGE, or PERMISSION_DENIED for an action that may not
 * stand here.
 */
export function decodeTableAction(
  running: RunningPipeline,
  table: TableInfo,
  message: p4.Action,
  use: 'entry' | 'default',
): ActionCall {
  const where = (): string => `table '${table.name}'`;
  const listed = listedAction(table, message.actionId, where);
  if (use === 'entry' ? !listed.inEntries : !listed.asDefault) {
    const place = use === 'entry' ? 'an entry' : 'the default entry';
    throw new RpcError('PERMISSION_DENIED', `${where()}: '${listed.name}' may not be in ${place}`);
  }
  const signature = running.control.tableAction(table.name, listed.name);
  return call(listed.action, signature, message, where);
}

/** Reads the action of a member. @throws RpcError likewise. */
export function decodeProfileAction(
  running: RunningPipeline,
  profile: ActionProfileInfo,
  message: p4.Action,
): ActionCall {
  const where = (): string => `action profile '${profile.name}'`;
  const table = running.info.tables.byNumber(profile.tableIds[0] ?? 0);
  if (table === undefined) throw new RpcError('INVALID_ARGUMENT', `${where()}: no table uses it`);
  const { action } = listedAction(table, message.actionId, where);
  const signature = running.control.profileAction(profile.name, action.name);
  return call(action, signature, message, where);
}

/** The message of a call, or undefined for an action that the compiler made and P4Info hides. */
export function encodeCall(
  running: RunningPipeline,
  { actionId, arguments: values }: ActionCall,
): p4.Action | undefined {
  const name = running.control.action(actionId)?.name;
  const action = running.info.actions.all.find((each) => each.name === name);
  return action && encodeAction(action, values);
}

function listedAction(table: TableInfo, id: number, where: () => string): TableActionInfo {
  const listed = table.actions.byNumber(id);
  if (listed !== undefined) return listed;
  const names = table.actions.all.map((each) => each.name).join(', ');
  throw new RpcError('INVALID_ARGUMENT', `${where()}: no action ${id}; its actions are: ${names}`);
}

function call(
  action: ActionInfo,
  signature: ActionSignature | undefined,
  message: p4.Action,
  where: () => string,
): ActionCall {
  if (signature === undefined) {
    throw new RpcError('INTERNAL', `${where()}: the switch does not know '${action.name}'`);
  }
  const values = decodeArguments(
    action,
    message.params,
    () => `${where()}, action '${action.name}'`,
  );
  return { actionId: signature.id, arguments: values };
}
