import { assert } from '../../../common/assert';
import { DONE } from './virtual-switch';
import type { ActionProfile } from '../../tables/action-profile';
import type { MatchTable } from '../../tables/match-table';
import type { EntryAction } from '../../control/table-control';
import type { HandlersOf, VirtualSwitch } from './virtual-switch';
import type { EntryTarget } from '../run/requests';

/** Requests to tables and action profiles. */
export const TABLE_REQUESTS: HandlersOf<
  'add-entry' | 'delete-entry' | 'set-default' | 'create-member' | 'group-create'
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
  'group-create': (target, { profile: name, members }) => {
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

/** Replication ids of clones to a single port, as bmv2 gives them. */
const CLONE_INSTANCE = 0;

/** Requests to clone sessions, multicast groups and queues. */
export const REPLICATION_REQUESTS: HandlersOf<
  | 'mirror'
  | 'mc-group-create'
  | 'mc-node-create'
  | 'mc-node-update'
  | 'mc-node-associate'
  | 'set-queue-rate'
  | 'set-queue-depth'
> = {
  mirror: ({ device: { cloneSessions } }, { session, to }) => {
    const packetLengthMax = undefined;
    if (to === undefined) {
      cloneSessions.deleteSession(session);
    } else if ('port' in to) {
      const replicas = [{ port: to.port, instance: CLONE_INSTANCE }];
      cloneSessions.setSession(session, { replicas, packetLengthMax });
    } else {
      const multicastGroup = to.group;
      cloneSessions.setSession(session, { replicas: [], multicastGroup, packetLengthMax });
    }
    return DONE;
  },
  'mc-group-create': ({ device: { multicast } }, { group }) => {
    multicast.createGroup(group);
    return DONE;
  },
  'mc-node-create': ({ device: { multicast } }, { rid, ports }) => {
    multicast.createNode({ instance: rid, ports, lags: [] });
    return DONE;
  },
  'mc-node-update': ({ device: { multicast } }, { node, ports }) => {
    multicast.updateNode(node, { ports, lags: [] });
    return DONE;
  },
  'mc-node-associate': ({ device: { multicast } }, { group, node }) => {
    multicast.associate(group, node);
    return DONE;
  },
  'set-queue-rate': ({ device: { queues } }, { packetsPerSecond, port }) => {
    queues.setRate(packetsPerSecond, port === undefined ? {} : { port });
    return DONE;
  },
  'set-queue-depth': ({ device: { queues } }, { packets, port }) => {
    queues.setDepth(packets, port === undefined ? {} : { port });
    return DONE;
  },
};
