import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { MatchKind } from '../../common/p4runtime/key-field';
import { InputError } from '../../common/errors';
import type { SwitchDocument } from '../document/schema';
import type { EntryDocument } from '../document/entry-schema';
import type { ActionProfileGroup, ActionProfileMember, EntryAction } from '../entities/action';
import type { FieldMatch, Match } from '../entities/match';
import type { CloneSession, MulticastGroup } from '../entities/replication';
import type { DefaultEntry, TableEntry } from '../entities/table-entry';
import type { Value } from '../entities/value';

const NS_PER_MS = 1_000_000n;

/** Entities that a document lists entry by entry. */
export interface StaticState {
  readonly replication: readonly (MulticastGroup | CloneSession)[];
  readonly members: readonly ActionProfileMember[];
  readonly groups: readonly ActionProfileGroup[];
  readonly entries: readonly (TableEntry | DefaultEntry)[];
}

/** @throws InputError for a pair where the match kind wants one value. */
export function staticState(document: SwitchDocument, program: P4InfoIndex): StaticState {
  return {
    replication: [
      ...document.multicastGroups.map(({ group, replicas }): MulticastGroup => {
        return { kind: 'multicast-group', groupId: group, replicas };
      }),
      ...document.cloneSessions.map(cloneSession),
    ],
    members: document.members.map(({ profile, member, action, arguments: args }) => ({
      kind: 'member',
      actionProfile: profile,
      memberId: member,
      action: { name: action, arguments: args },
    })),
    groups: document.groups.map(({ profile, group, members }) => ({
      kind: 'group',
      actionProfile: profile,
      groupId: group,
      members: members.map(({ member, weight }) => ({ memberId: member, weight })),
      maxSize: 0,
    })),
    entries: document.entries.map((each) => entry(each, program)),
  };
}

function cloneSession(session: SwitchDocument['cloneSessions'][number]): CloneSession {
  const { session: sessionId, replicas, packetLengthBytes, classOfService } = session;
  return { kind: 'clone-session', sessionId, replicas, classOfService, packetLengthBytes };
}

function entry(document: EntryDocument, program: P4InfoIndex): TableEntry | DefaultEntry {
  const { table, priority, idleTimeoutMs } = document;
  if (document.default) {
    const action = { name: document.action ?? '', arguments: document.arguments ?? {} };
    return { kind: 'default-entry', table, action };
  }
  return {
    kind: 'table-entry',
    table,
    match: matchOf(document, program),
    priority,
    action: entryAction(document),
    ...(idleTimeoutMs !== undefined && { idleTimeoutNs: BigInt(idleTimeoutMs) * NS_PER_MS }),
  };
}

/** Fields whose pair matches everything are left out, as P4Runtime wants it. */
function matchOf({ table, match = {} }: EntryDocument, program: P4InfoIndex): Match {
  const fields = program.tables.find(table)?.matchFields.all ?? [];
  const found = Object.entries(match).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value] as const;
    const kind = fields.find((each) => each.name === name)?.matchKind;
    return [name, pairMatch(`table '${table}', field '${name}'`, kind, value)] as const;
  });
  return Object.fromEntries(
    found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function pairMatch(
  where: string,
  kind: MatchKind | undefined,
  [first, second]: readonly [Value, Value],
): FieldMatch | undefined {
  switch (kind) {
    case 'lpm':
      return Number(second) === 0 ? undefined : { lpm: [first, Number(second)] };
    case 'ternary':
      return Number(second) === 0 ? undefined : { ternary: [first, second] };
    case 'range':
      return { range: [first, second] };
    case 'exact':
    case 'optional':
    case undefined: {
      const found = `[${first}, ${second}]`;
      throw new InputError(
        `${where}: wanted one value, as its match is ${kind ?? 'unknown'}, found ${found}`,
      );
    }
  }
}

function entryAction(document: EntryDocument): EntryAction {
  const { member, group, oneShot } = document;
  if (member !== undefined) return { kind: 'member', memberId: member };
  if (group !== undefined) return { kind: 'group', groupId: group };
  if (oneShot !== undefined) {
    const actions = oneShot.map(({ action, arguments: args, weight, watchPort }) => ({
      action: { name: action, arguments: args },
      weight,
      ...(watchPort !== undefined && { watchPort }),
    }));
    return { kind: 'one-shot', actions };
  }
  const action = { name: document.action ?? '', arguments: document.arguments ?? {} };
  return { kind: 'action', action };
}
