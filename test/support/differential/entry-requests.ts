import { ProgramState } from '../../../switch/state/program-state';
import { fillTables } from './random-entries';
import type { Random } from '../../../common/random/random';
import type { Program } from '../../../switch/ir/nodes';
import type { EntryTarget, NamedCall, StfRequest } from '../../../switch/stf/run/requests';
import type { ActionCall, EntryAction, TableEntry } from '../../../switch/control/table-control';

/**
 * Random members, groups and entries of all tables as requests that any target of STF tests takes.
 * Members weigh the same, and no two entries of a table share a priority, because P4Runtime leaves
 * open which of them wins. There are no entries of empty groups, which bmv2 refuses over Thrift.
 */
export function randomEntryRequests(program: Program, random: Random): StfRequest[] {
  const state = new ProgramState(program);
  fillTables(program, [state], random);
  const profiles = state.profileList.flatMap((profile) => [
    ...Array.from(profile.members(), ({ call }): StfRequest => {
      return { kind: 'create-member', profile: profile.name, call: namedCall(program, call) };
    }),
    ...Array.from(profile.groups(), ({ members }): StfRequest => {
      return {
        kind: 'group-create',
        profile: profile.name,
        members: members.map(({ memberId }) => handleOf(memberId)),
      };
    }),
  ]);
  const entries = program.tables
    .filter(({ entries: constant, key }) => constant === undefined && key.length > 0)
    .flatMap(({ index, name }): StfRequest[] => {
      const table = state.tableList[index];
      const profile = state.actionProfiles.get(table?.actionProfile ?? '');
      const empty = new Set(
        [...(profile?.groups() ?? [])].flatMap(({ groupId, members }) =>
          members.length === 0 ? [groupId] : [],
        ),
      );
      return withDistinctPriorities([...(table?.entries() ?? [])])
        .filter(({ action }) => action.kind !== 'group' || !empty.has(action.groupId))
        .map(({ key, priority, action }) => ({
          kind: 'add-entry',
          entry: { table: name, key, priority },
          target: entryTarget(program, action),
        }));
    });
  return [...profiles, ...entries];
}

function withDistinctPriorities(entries: readonly TableEntry[]): TableEntry[] {
  const seen = new Set<number>();
  return entries.filter(({ priority }) => {
    const isNew = priority === 0 || !seen.has(priority);
    seen.add(priority);
    return isNew;
  });
}

/** Generators number members and groups from 1, targets from 0. */
const handleOf = (id: number): number => id - 1;

function entryTarget(program: Program, action: EntryAction): EntryTarget {
  switch (action.kind) {
    case 'call':
      return { kind: 'call', ...namedCall(program, action.call) };
    case 'member':
      return { kind: 'member', handle: handleOf(action.memberId) };
    case 'group':
      return { kind: 'group', handle: handleOf(action.groupId) };
  }
}

function namedCall(program: Program, { actionId, arguments: values }: ActionCall): NamedCall {
  const action = program.actions.get(actionId)?.name;
  if (action === undefined) throw new Error(`${program.name} has no action ${actionId}`);
  return { action, actionId, arguments: values };
}
