import { InputError } from '../../../common/errors';
import * as codec from '../../../common/p4runtime/action-codec';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type {
  ActionInfo,
  FieldInfo,
  P4InfoIndex,
  TableInfo,
} from '../../../common/p4runtime/p4info';
import { formatValue, parseValue } from '../../../common/p4runtime/values';
import type { ActionByName } from '../../entities/action';
import type { Value } from '../../entities/value';
import { fromSwitch, sentObject } from './wire-values';

/** Place in a table that may call an action. */
export type ActionPlace = 'inEntries' | 'asDefault';

/**
 * The message of an action of `table`.
 * @param where a table may allow an action only in its entries, or only as its default.
 * @throws InputError naming table, action and parameter.
 */
export function encodeAction(
  table: TableInfo,
  action: ActionByName,
  where?: ActionPlace,
): p4.Action {
  const { info, values } = readAction(table, action, where);
  return codec.encodeAction(info, values);
}

/** The action in full names and the values that a switch returns. @throws InputError likewise. */
export function canonicalAction(
  table: TableInfo,
  action: ActionByName,
  where?: ActionPlace,
): ActionByName {
  const { info, values } = readAction(table, action, where);
  return byName(info, values);
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
  const info = sentObject(index.actions, message.actionId);
  const where = (): string => `action '${info.name}'`;
  return byName(
    info,
    fromSwitch(() => codec.decodeArguments(info, message.params, where)),
  );
}

/** The action of that name in a table, and the values of its parameters. @throws InputError likewise. */
export function readAction(
  table: TableInfo,
  { name, arguments: given }: ActionByName,
  where: ActionPlace = 'inEntries',
): { readonly info: ActionInfo; readonly values: readonly bigint[] } {
  const ref = table.actions.find(name) ?? table.actions.get(name, `table '${table.name}'`);
  const place = (): string => `table '${table.name}', action '${ref.name}'`;
  if (!ref[where]) {
    const only = where === 'inEntries' ? 'its default action' : 'its entries';
    throw new InputError(`${place()}: the table takes it only for ${only}`);
  }
  const { parameters } = ref.action;
  const { all } = parameters;
  const found = new Array<Value | undefined>(all.length);
  for (const each of Object.keys(given)) {
    const parameter = parameters.find(each) ?? parameters.get(each, place());
    found[all.indexOf(parameter)] = given[each];
  }
  const values = new Array<bigint>(all.length);
  for (let i = 0; i < all.length; i++) {
    const { name: parameter, width } = all[i] as FieldInfo;
    const value = found[i];
    // PERF: nobody makes words for an error that there is not.
    const what = (): string => `${place()}, parameter '${parameter}'`;
    if (value === undefined) throw new InputError(`${what()} is missing`);
    values[i] = parseValue(value, width, what);
  }
  return { info: ref.action, values };
}

function byName({ name, parameters }: ActionInfo, values: readonly bigint[]): ActionByName {
  const found: Record<string, string> = {};
  parameters.all.forEach((each, i) => {
    found[each.name] = formatValue(values[i] ?? 0n, each.width);
  });
  return { name, arguments: found };
}
