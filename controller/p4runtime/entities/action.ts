import { InputError } from '../../../common/errors';
import { encodeValue } from '../../../common/p4runtime/bytestring';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type {
  ActionInfo,
  FieldInfo,
  P4InfoIndex,
  TableActionInfo,
  TableInfo,
} from '../../../common/p4runtime/p4info';
import { formatValue, parseValue } from '../../../common/p4runtime/values';
import type { ActionByName } from '../../entities/action';
import type { Value } from '../../entities/value';
import { wireValue } from './wire-values';

/** Where a table may call an action. */
export type ActionPlace = 'inEntries' | 'asDefault';

/**
 * The message of an action of `table`.
 * @param where a table may allow an action only in its entries, or only as its default.
 * @throws InputError naming table, action and parameter.
 */
export function encodeAction(
  table: TableInfo,
  action: ActionByName,
  where: ActionPlace = 'inEntries',
): p4.Action {
  const ref = actionOf(table, action.name);
  if (!ref[where]) {
    const only = where === 'inEntries' ? 'its default action' : 'its entries';
    throw new InputError(`${place(table, ref)}: the table takes it only for ${only}`);
  }
  const given = argumentsOf(table, ref.action, action);
  const params = ref.action.parameters.all.map((parameter) => {
    const value = given.get(parameter);
    const what = `${place(table, ref)}, parameter '${parameter.name}'`;
    if (value === undefined) throw new InputError(`${what} is missing`);
    const bytes = encodeValue(parseValue(value, parameter.width, what));
    return new p4.ActionParam({ paramId: parameter.id, value: bytes });
  });
  return new p4.Action({ actionId: ref.id, params });
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
  if (info === undefined) {
    throw new InputError(`from the switch: P4Info has no action ${message.actionId}`);
  }
  const { params } = message;
  const found: Record<string, string> = {};
  for (const { id, name, width } of info.parameters.all) {
    const param = params.find((each) => each.paramId === id);
    const what = `action '${info.name}', parameter '${name}'`;
    if (param === undefined) throw new InputError(`from the switch: ${what} is missing`);
    found[name] = formatValue(wireValue(param.value, width, what), width);
  }
  return { name: info.name, arguments: found };
}

function actionOf(table: TableInfo, name: string): TableActionInfo {
  const found = table.actions.candidates(name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const names = (found.length > 1 ? found : table.actions.all).map((each) => each.name).join(', ');
  throw new InputError(
    found.length > 1
      ? `table '${table.name}': '${name}' may be any of the actions ${names}`
      : `table '${table.name}': no action '${name}'; it has: ${names || 'none'}`,
  );
}

function argumentsOf(
  table: TableInfo,
  info: ActionInfo,
  action: ActionByName,
): ReadonlyMap<FieldInfo, Value> {
  const given = new Map<FieldInfo, Value>();
  for (const [name, value] of Object.entries(action.arguments)) {
    const parameter = info.parameters.find(name);
    if (parameter === undefined) {
      const names = info.parameters.all.map((each) => each.name).join(', ') || 'none';
      throw new InputError(`${place(table, info)}: no parameter '${name}'; it has: ${names}`);
    }
    given.set(parameter, value);
  }
  return given;
}

const place = (table: TableInfo, action: { readonly name: string }): string =>
  `table '${table.name}', action '${action.name}'`;
