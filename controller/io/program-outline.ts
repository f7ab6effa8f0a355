import { decodeValue } from '../../common/p4runtime/bytestring';
import type * as p4info from '../../common/p4runtime/generated/p4/config/v1/p4info';
import type { P4InfoIndex, TableInfo } from '../../common/p4runtime/p4info';
import { formatValue } from '../../common/p4runtime/values';
import type { ActionByName } from '../entities/action';
import type { ProgramOutline, TableOutline } from '../program/outline';

/** What P4Info says of a program, in the terms of the intent. */
export function programOutline(info: p4info.P4Info, index: P4InfoIndex): ProgramOutline {
  const tables = info.tables.flatMap((message) => {
    const table = index.tables.byNumber(message.preamble.id);
    return table === undefined ? [] : [tableOutline(index, table, message)];
  });
  return { tables };
}

function tableOutline(index: P4InfoIndex, table: TableInfo, message: p4info.Table): TableOutline {
  const profile = index.actionProfiles.byNumber(table.actionProfileId ?? 0);
  const initialDefault = message.hasInitialDefaultAction
    ? initialAction(index, message.initialDefaultAction)
    : undefined;
  return {
    name: table.name,
    fields: table.matchFields.all.map(({ name, matchKind, width }) => ({ name, matchKind, width })),
    actions: table.actions.all.map(({ name, action }) => ({
      name,
      parameters: action.parameters.all.map((each) => each.name),
    })),
    ...(profile !== undefined && { actionProfile: profile.name }),
    isConst: table.isConst,
    hasInitialEntries: table.hasInitialEntries,
    constDefault: table.constDefault,
    ...(initialDefault !== undefined && { initialDefault }),
  };
}

function initialAction(
  index: P4InfoIndex,
  message: p4info.TableActionCall,
): ActionByName | undefined {
  const action = index.actions.byNumber(message.actionId);
  if (action === undefined) return undefined;
  const values = action.parameters.all.map(({ id, name, width }) => {
    const argument = message.arguments.find(({ paramId }) => paramId === id);
    const value = argument === undefined ? 0n : decodeValue(argument.value, width, name);
    return [name, formatValue(value, width)] as const;
  });
  return { name: action.name, arguments: Object.fromEntries(values) };
}
