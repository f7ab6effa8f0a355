import { assert } from '../../common/assert';
import type { GroupMember, EntryAction } from './action';
import type { Match } from './match';
import type { NamedEntity } from './named-entity';
import type { Replica } from './replication';

/** The kinds of entities that a controller writes once and then keeps as they are. */
export type KeptEntity = Extract<
  NamedEntity,
  {
    kind:
      | 'table-entry'
      | 'default-entry'
      | 'member'
      | 'group'
      | 'multicast-group'
      | 'clone-session';
  }
>;

export function isKept(entity: NamedEntity): entity is KeptEntity {
  return RANKS.has(entity.kind);
}

const RANKS: ReadonlySet<string> = new Set<KeptEntity['kind']>([
  'table-entry',
  'default-entry',
  'member',
  'group',
  'multicast-group',
  'clone-session',
]);

/** Equal for two entities that cannot exist beside each other. Names and values are canonical. */
export function identityOf(entity: KeptEntity): string {
  switch (entity.kind) {
    case 'table-entry':
      return `entry ${entity.table} ${matchText(entity.match)} ${entity.priority}`;
    case 'default-entry':
      return `default ${entity.table}`;
    case 'member':
      return `member ${entity.actionProfile} ${entity.memberId}`;
    case 'group':
      return `group ${entity.actionProfile} ${entity.groupId}`;
    case 'multicast-group':
      return `multicast ${entity.groupId}`;
    case 'clone-session':
      return `session ${entity.sessionId}`;
  }
}

/** Equal for two entities of equal identity that need no update of one to get the other. */
export function contentOf(entity: KeptEntity): string {
  switch (entity.kind) {
    case 'table-entry':
      return text([actionContent(entity.action), entity.idleTimeoutNs ?? 0n]);
    case 'default-entry':
      return text(entity.action && [entity.action.name, sorted(entity.action.arguments)]);
    case 'member':
      return text([entity.action.name, sorted(entity.action.arguments)]);
    case 'group':
      // The size was fixed when the group was made, so nobody can change it by an update.
      return text(memberContents(entity.members));
    case 'multicast-group':
      return text(replicaContents(entity.replicas));
    case 'clone-session': {
      const { replicas, classOfService, packetLengthBytes } = entity;
      return text([replicaContents(replicas), classOfService, packetLengthBytes]);
    }
  }
}

function matchText(match: Match): string {
  return text(sorted(match));
}

function actionContent(action: EntryAction): unknown {
  switch (action.kind) {
    case 'action':
      return ['action', action.action.name, sorted(action.action.arguments)];
    case 'member':
      return ['member', action.memberId];
    case 'group':
      return ['group', action.groupId];
    case 'one-shot': {
      const actions = action.actions.map(({ action: each, weight, watchPort }) =>
        text([each.name, sorted(each.arguments), weight, watchPort ?? null]),
      );
      return ['one-shot', actions.sort()];
    }
  }
}

/** Switches return members in any order, and bmv2 returns one once per unit of its weight. */
function memberContents(members: readonly GroupMember[]): unknown {
  const weights = new Map<string, number>();
  for (const { memberId, weight, watchPort } of members) {
    const key = `${memberId} ${watchPort ?? ''}`;
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  return sorted(Object.fromEntries(weights));
}

function replicaContents(replicas: readonly Replica[]): unknown {
  return replicas
    .map(({ port, instance, backups = [] }) => ({
      port,
      instance,
      backups: backups.map((each) => [each.port, each.instance]),
    }))
    .sort((a, b) => a.port - b.port || a.instance - b.instance)
    .map(({ port, instance, backups }) => [port, instance, backups]);
}

function sorted(record: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function text(value: unknown): string {
  const found = JSON.stringify(value ?? null, (_, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  );
  assert(typeof found === 'string', 'everything in an entity has a JSON form');
  return found;
}
