import { StateError } from '../control/table-control';
import type { PipelineControl, TableControl } from '../control/table-control';

/** Entries of a table that are copied: more of them take time and no other ways through the program. */
const ENTRIES_MAX = 200;

/** Gives a program's state the entries, members and groups of another state of the same program. */
export function copyEntries(from: PipelineControl, to: PipelineControl): void {
  for (const [name, profile] of from.actionProfiles) {
    const copy = to.actionProfiles.get(name);
    for (const { memberId, call } of profile.members()) copy?.insertMember(memberId, call);
    for (const { groupId, members, maxSize } of profile.groups()) {
      copy?.insertGroup(groupId, members, maxSize);
    }
  }
  for (const [name, table] of from.tables) {
    const copy = to.tables.get(name);
    if (copy !== undefined) copyTable(table, copy);
  }
}

function copyTable(from: TableControl, to: TableControl): void {
  if (!from.isFixed) {
    if (to.isFixed) to.openForWrites(from.size);
    to.clear();
    let copied = 0;
    for (const entry of from.entries()) {
      if (copied++ === ENTRIES_MAX) break;
      to.insert(entry);
    }
  }
  copyDefault(from, to);
}

/** A constant default action is there already. */
function copyDefault(from: TableControl, to: TableControl): void {
  try {
    if (from.defaultMember !== undefined) to.setDefaultMember(from.defaultMember);
    else if (from.defaultAction !== undefined) to.setDefault(from.defaultAction);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
  }
}
