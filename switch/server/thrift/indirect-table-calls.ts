import { addEntry, deleteEntry, settingDefault } from './direct-table-calls';
import { standardTypes } from '../../../common/thrift/generated-code';
import { idOf } from './profile-calls';
import { idBehind, tableNamed, writing, failure } from './table-access';
import type { EntryAction } from '../../control/table-control';
import type { OptionsMessage, FieldMessage } from './key-messages';
import type { ServiceCalls } from './service-calls';
import type { NamedTable } from './table-access';
import type { ThriftTarget } from './target';

const { TableError } = standardTypes;

/** Tables whose entries point at members and groups. */
export function indirectTableCalls(target: ThriftTarget): ServiceCalls {
  const indirect = (name: string): NamedTable =>
    tableNamed(target, name, ['indirect', 'with selector']);
  const remove = deleteEntry(target);
  return {
    ...memberEntryCalls(target, indirect),
    ...groupEntryCalls(target),
    bm_mt_indirect_delete_entry: (_context: number, name: string, handle: number): void =>
      remove(indirect(name), handle),
    bm_mt_indirect_reset_default_entry: (_context: number, name: string): void =>
      indirect(name).table.resetDefault(),
  };
}

function memberEntryCalls(
  target: ThriftTarget,
  indirect: (name: string) => NamedTable,
): ServiceCalls {
  return {
    bm_mt_indirect_add_entry: (
      ...[, name, key, handle, options]: [
        ...[number, string, FieldMessage[], number, OptionsMessage],
      ]
    ): number => {
      const named = indirect(name);
      return addEntry(named, key, options, memberAction(named, handle));
    },
    bm_mt_indirect_modify_entry: (
      ...[, name, handle, member]: [number, string, number, number]
    ): void => {
      const named = indirect(name);
      modifyEntry(target, named, handle, () => memberAction(named, member));
    },
    bm_mt_indirect_set_default_member: (_context: number, name: string, member: number): void => {
      const named = indirect(name);
      const { memberId } = memberAction(named, member);
      settingDefault(() => named.table.setDefaultMember(memberId));
    },
  };
}

function groupEntryCalls(target: ThriftTarget): ServiceCalls {
  const withSelector = (name: string): NamedTable => tableNamed(target, name, ['with selector']);
  return {
    bm_mt_indirect_ws_add_entry: (
      ...[, name, key, handle, options]: [
        ...[number, string, FieldMessage[], number, OptionsMessage],
      ]
    ): number => {
      const named = withSelector(name);
      return addEntry(named, key, options, groupAction(named, handle));
    },
    bm_mt_indirect_ws_modify_entry: (
      ...[, name, handle, group]: [number, string, number, number]
    ): void => {
      const named = withSelector(name);
      modifyEntry(target, named, handle, () => groupAction(named, group));
    },
    // The executors look for a miss's action before they know the packet's hash.
    bm_mt_indirect_ws_set_default_group: (_context: number, name: string, group: number): void => {
      groupAction(withSelector(name), group);
      throw failure(TableError.FAILED);
    },
  };
}

function modifyEntry(
  { shared }: ThriftTarget,
  { table }: NamedTable,
  handle: number,
  decode: () => EntryAction,
): void {
  const id = idBehind(table, handle);
  const action = decode();
  writing(() => table.modify({ ...id, action }));
  shared.entryChanged(table.name, id);
}

function memberAction(
  { program, table }: NamedTable,
  handle: number,
): { readonly kind: 'member'; readonly memberId: number } {
  const memberId = idOf(handle);
  const members = program.actionProfiles.get(table.actionProfile ?? '')?.members() ?? [];
  for (const each of members) if (each.memberId === memberId) return { kind: 'member', memberId };
  throw failure(TableError.UNKNOWN_MEMBER);
}

function groupAction({ program, table }: NamedTable, handle: number): EntryAction {
  const groupId = idOf(handle);
  const groups = program.actionProfiles.get(table.actionProfile ?? '')?.groups() ?? [];
  for (const each of groups) {
    if (each.groupId !== groupId) continue;
    if (each.members.length === 0) throw failure(TableError.EMPTY_GROUP);
    return { kind: 'group', groupId };
  }
  throw failure(TableError.UNKNOWN_GROUP);
}
