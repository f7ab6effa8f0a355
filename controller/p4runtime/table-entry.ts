import { unreachable } from '../../common/assert';
import { InputError } from '../../common/errors';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../common/p4runtime/p4info';
import type { DefaultEntry, EntryAction, TableEntry } from '../intent/entities';
import { decodeAction, encodeAction } from './action';
import { decodeMatch, encodeMatch } from './match-field';

/** The message of a table entry. @throws InputError naming what does not fit the P4Info. */
export function encodeTableEntry(index: P4InfoIndex, entry: TableEntry): p4.TableEntry {
  const table = index.tables.get(entry.table);
  if (entry.priority > 0 !== table.needsPriority) {
    const wanted = table.needsPriority ? 'a priority above 0' : 'no priority';
    throw new InputError(`table '${table.name}': wanted ${wanted}, found ${entry.priority}`);
  }
  return new p4.TableEntry({
    tableId: table.id,
    match: encodeMatch(table, entry.match),
    priority: entry.priority,
    action: encodeEntryAction(table, entry.action),
  });
}

/** The message of a default entry. @throws InputError likewise. */
export function encodeDefaultEntry(index: P4InfoIndex, entry: DefaultEntry): p4.TableEntry {
  const table = index.tables.get(entry.table);
  const message = new p4.TableEntry({ tableId: table.id, isDefaultAction: true });
  if (entry.action !== undefined) {
    message.action = new p4.TableAction({ action: encodeAction(table, entry.action) });
  }
  return message;
}

/** An entry that a switch has sent. @throws InputError when P4Info lacks what it refers to. */
export function decodeTableEntry(
  index: P4InfoIndex,
  message: p4.TableEntry,
): TableEntry | DefaultEntry {
  const table = index.tables.byNumber(message.tableId);
  if (table === undefined) throw new InputError(`P4Info has no table ${message.tableId}`);
  const name = table.name;
  if (message.isDefaultAction) {
    if (!message.hasAction) return { kind: 'default-entry', table: name };
    const action = decodeAction(index, message.action.action);
    return { kind: 'default-entry', table: name, action };
  }
  return {
    kind: 'table-entry',
    table: name,
    match: decodeMatch(table, message.match),
    priority: message.priority,
    action: decodeEntryAction(index, message),
  };
}

function encodeEntryAction(table: TableInfo, action: EntryAction): p4.TableAction {
  switch (action.kind) {
    case 'action':
      return new p4.TableAction({ action: encodeAction(table, action.action) });
    case 'member':
      return new p4.TableAction({ actionProfileMemberId: action.memberId });
    case 'group':
      return new p4.TableAction({ actionProfileGroupId: action.groupId });
    case 'one-shot': {
      const actionProfileActions = action.actions.map(({ action: each, weight }) => {
        return new p4.ActionProfileAction({ action: encodeAction(table, each), weight });
      });
      const set = new p4.ActionProfileActionSet({ actionProfileActions });
      return new p4.TableAction({ actionProfileActionSet: set });
    }
    default:
      return unreachable(action);
  }
}

function decodeEntryAction(index: P4InfoIndex, message: p4.TableEntry): EntryAction {
  const action = message.hasAction ? message.action : new p4.TableAction({});
  if (action.hasAction) return { kind: 'action', action: decodeAction(index, action.action) };
  if (action.hasActionProfileMemberId) {
    return { kind: 'member', memberId: action.actionProfileMemberId };
  }
  if (action.hasActionProfileGroupId) {
    return { kind: 'group', groupId: action.actionProfileGroupId };
  }
  if (!action.hasActionProfileActionSet) {
    throw new InputError(`table ${message.tableId}: the switch has sent an entry without action`);
  }
  const actions = action.actionProfileActionSet.actionProfileActions.map((each) => {
    return { action: decodeAction(index, each.action), weight: each.weight };
  });
  return { kind: 'one-shot', actions };
}
