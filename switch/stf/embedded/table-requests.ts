import { assert } from '../../../common/assert';
import { DONE } from './handlers';
import type { ActionProfile } from '../../tables/action-profile';
import type { MatchTable } from '../../tables/match-table';
import type { EntryAction } from '../../control/table-control';
import type { HandlersOf } from './handlers';
import type { EntryTarget } from '../run/requests';
import type { VirtualSwitch } from './virtual-switch';

/** Requests to tables and action profiles. */
export const TABLE_REQUESTS: HandlersOf<
  'add-entry' | 'delete-entry' | 'set-default' | 'create-member' | 'create-group'
> = {
  'add-entry': (target, { entry: { table, key, priority }, target: action }) => {
    findTable(target, table).insert({ key, priority, action: entryAction(action) });
    return DONE;
  },
  'delete-entry': (target, { entry: { table, key, priority } }) => {
    findTable(target, table).delete(key, priority);
    return DONE;
  },
  'set-default': (target, { table, call }) => {
    findTable(target, table).setDefault(call);
    return DONE;
  },
  'create-member': (target, { profile: name, call }) => {
    const profile = findProfile(target, name);
    profile.insertMember([...profile.members()].length, call);
    return DONE;
  },
  'create-group': (target, { profile: name, members }) => {
    const profile = findProfile(target, name);
    const weighted = members.map((memberId) => ({ memberId, weight: 1 }));
    profile.insertGroup([...profile.groups()].length, weighted, 0);
    return DONE;
  },
};

/** The table of a name that the program's outline knows. */
export function findTable({ state }: VirtualSwitch, name: string): MatchTable {
  const table = state.tables.get(name);
  assert(table !== undefined, `the program has the table '${name}'`);
  return table;
}

function findProfile({ state }: VirtualSwitch, name: string): ActionProfile {
  const profile = state.actionProfiles.get(name);
  assert(profile !== undefined, `the program has the action profile '${name}'`);
  return profile;
}

function entryAction(target: EntryTarget): EntryAction {
  switch (target.kind) {
    case 'call':
      return { kind: 'call', call: target };
    case 'member':
      return { kind: 'member', memberId: target.handle };
    case 'group':
      return { kind: 'group', groupId: target.handle };
  }
}
