import { InputError } from '../../common/errors';
import { encodeValue } from '../../common/p4runtime/bytestring';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../common/p4runtime/p4info';
import { formatValue, parseValue } from '../../common/p4runtime/values';
import type { ActionByName } from '../intent/entities';
import { wireValue } from './wire-value';

/** The message of an action of `table`. @throws InputError naming table, action and parameter. */
export function encodeAction(table: TableInfo, action: ActionByName): p4.Action {
  const info = table.actions.get(action.name).action;
  const where = `table '${table.name}', action '${info.name}'`;
  for (const name of Object.keys(action.arguments)) {
    if (info.parameters.all.some((each) => each.name === name)) continue;
    const names = info.parameters.all.map((each) => each.name).join(', ') || 'none';
    throw new InputError(`${where}: no parameter '${name}'; it has: ${names}`);
  }
  const params = info.parameters.all.map(({ id, name, width }) => {
    const value = action.arguments[name];
    const what = `${where}, parameter '${name}'`;
    if (value === undefined) throw new InputError(`${what} is missing`);
    return new p4.ActionParam({ paramId: id, value: encodeValue(parseValue(value, width, what)) });
  });
  return new p4.Action({ actionId: info.id, params });
}

/** The table whose actions the members of a profile may call. @throws InputError */
export function tableOfProfile(index: P4InfoIndex, name: string): TableInfo {
  const profile = index.actionProfiles.get(name);
  const table = index.tables.byNumber(profile.tableIds[0] ?? 0);
  if (table !== undefined) return table;
  throw new InputError(`action profile '${profile.name}': no table uses it`);
}

/** An action that a switch has sent, by name. @throws InputError when P4Info lacks it. */
export function decodeAction(index: P4InfoIndex, message: p4.Action): ActionByName {
  const info = index.actions.byNumber(message.actionId);
  if (info === undefined) throw new InputError(`P4Info has no action ${message.actionId}`);
  const args = info.parameters.all.map(({ id, name, width }) => {
    const param = message.params.find((each) => each.paramId === id);
    const what = `action '${info.name}', parameter '${name}'`;
    return [name, argument(param, width, what)];
  });
  return { name: info.name, arguments: Object.fromEntries(args) as Record<string, string> };
}

function argument(param: p4.ActionParam | undefined, width: number, what: string): string {
  if (param === undefined) throw new InputError(`${what} is missing`);
  return formatValue(wireValue(param.value, width, what), width);
}
