import { DONE } from './handlers';
import type { HandlersOf } from './handlers';

/** Replication ids of clones to a single port, as bmv2 gives them. */
const CLONE_INSTANCE = 0;

/** Requests to clone sessions, multicast groups and queues. */
export const REPLICATION_REQUESTS: HandlersOf<
  | 'mirror'
  | 'create-multicast-group'
  | 'create-multicast-node'
  | 'update-multicast-node'
  | 'associate-node'
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
  'create-multicast-group': ({ device: { multicast } }, { group }) => {
    multicast.createGroup(group);
    return DONE;
  },
  'create-multicast-node': ({ device: { multicast } }, { rid, ports }) => {
    multicast.createNode({ instance: rid, ports, lags: [] });
    return DONE;
  },
  'update-multicast-node': ({ device: { multicast } }, { node, ports }) => {
    multicast.updateNode(node, { ports, lags: [] });
    return DONE;
  },
  'associate-node': ({ device: { multicast } }, { group, node }) => {
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
