import type { EntryAction } from '../entities/action';
import { describeMatch } from '../entities/match';
import type { Match } from '../entities/match';
import type { NamedEntity } from '../entities/named-entity';
import type { DefaultEntry, TableEntry } from '../entities/table-entry';
import { isKept } from '../entities/identity';
import type { NetworkText } from './schema';

type SwitchText = NetworkText['switches'][number];
type EntryText = NonNullable<SwitchText['entries']>[number];
type Values = Record<string, string | number>;

type PartName = 'members' | 'groups' | 'multicastGroups' | 'cloneSessions' | 'entries';
type StateParts = { readonly [Name in PartName]: NonNullable<SwitchText[Name]> };

const NS_PER_MS = 1_000_000n;

/** Converts the entities of a switch to a document that would bring them there again. */
export function stateDocument(entities: readonly NamedEntity[]): Partial<SwitchText> {
  const parts: StateParts = {
    members: [],
    groups: [],
    multicastGroups: [],
    cloneSessions: [],
    entries: [],
  };
  for (const entity of entities) {
    if (!isKept(entity)) continue;
    switch (entity.kind) {
      case 'table-entry':
        if (entity.isConst !== true) parts.entries.push(entryText(entity));
        break;
      case 'default-entry':
        if (entity.action !== undefined) parts.entries.push(defaultText(entity));
        break;
      case 'member': {
        const { actionProfile: profile, memberId: member, action } = entity;
        const values = valuesOf(action.arguments);
        parts.members.push({ profile, member, action: action.name, arguments: values });
        break;
      }
      case 'group': {
        const { actionProfile: profile, groupId: group } = entity;
        const members = entity.members.map((each) => {
          return { member: each.memberId, weight: each.weight };
        });
        parts.groups.push({ profile, group, members });
        break;
      }
      case 'multicast-group':
        parts.multicastGroups.push({ group: entity.groupId, replicas: copies(entity.replicas) });
        break;
      case 'clone-session': {
        const { sessionId: session, packetLengthBytes, classOfService } = entity;
        const replicas = copies(entity.replicas);
        parts.cloneSessions.push({ session, replicas, packetLengthBytes, classOfService });
        break;
      }
    }
  }
  return Object.fromEntries(Object.entries(parts).filter(([, list]) => list.length > 0));
}

function entryText({ table, match, priority, action, idleTimeoutNs }: TableEntry): EntryText {
  const idle = idleTimeoutNs === undefined ? 0n : idleTimeoutNs / NS_PER_MS;
  return {
    table,
    match: matchText(match),
    ...(priority > 0 && { priority }),
    ...actionText(action),
    ...(idle > 0n && { idleTimeoutMs: Number(idle) }),
  };
}

function defaultText({ table, action }: DefaultEntry): EntryText {
  return {
    table,
    default: true,
    action: action?.name ?? '',
    arguments: valuesOf(action?.arguments ?? {}),
  };
}

function matchText(match: Match): Values {
  return Object.fromEntries(
    Object.entries(match).map(([name, each]) => [name, describeMatch(each)]),
  );
}

function actionText(action: EntryAction): Partial<EntryText> {
  switch (action.kind) {
    case 'action':
      return { action: action.action.name, arguments: valuesOf(action.action.arguments) };
    case 'member':
      return { member: action.memberId };
    case 'group':
      return { group: action.groupId };
    case 'one-shot':
      return {
        oneShot: action.actions.map(({ action: each, weight, watchPort }) => ({
          action: each.name,
          arguments: valuesOf(each.arguments),
          weight,
          ...(watchPort !== undefined && { watchPort }),
        })),
      };
  }
}

function valuesOf(given: Readonly<Record<string, string | number | bigint>>): Values {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? String(value) : value,
    ]),
  );
}

function copies(
  replicas: readonly { readonly port: number; readonly instance: number }[],
): { port: number; instance: number }[] {
  return replicas.map(({ port, instance }) => ({ port, instance }));
}
