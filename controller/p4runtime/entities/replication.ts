import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type {
  Replica,
  ReplicaPort,
  MulticastGroup,
  CloneSession,
} from '../../entities/replication';
import { decodePort, encodePort } from './wire-values';

/** The message of one copy of a packet, with its backups. @throws InputError beginning with `what`. */
function encodeReplica({ port, instance, backups = [] }: Replica, what: string): p4.Replica {
  const backupReplicas = backups.map((each) => {
    const bytes = encodePort(each.port, `${what}, backup`);
    return new p4.BackupReplica({ port: bytes, instance: checkedInstance(each, what) });
  });
  const message = new p4.Replica({ instance: checkedInstance({ port, instance }, what) });
  if (backupReplicas.length > 0) message.backupReplicas = backupReplicas;
  const bytes = encodePort(port, what);
  // bmv2 takes port 0 in the older form only, where it is the default value.
  if (port === 0) older(message).egressPort = 0;
  else message.port = bytes;
  return message;
}

/** A copy that a switch has sent. @throws InputError beginning with `what`. */
function decodeReplica(message: p4.Replica, what: string): Replica {
  const port = message.hasPort ? decodePort(message.port, what) : older(message).egressPort;
  const backups = message.backupReplicas.map((each) => {
    return { port: decodePort(each.port, `${what}, backup`), instance: each.instance };
  });
  return { port, instance: message.instance, ...(backups.length > 0 && { backups }) };
}

/** The form of the port before P4Runtime 1.4, which servers go on taking. */
function older(message: p4.Replica): { egressPort: number } {
  return message;
}

function checkedInstance({ port, instance }: ReplicaPort, what: string): number {
  if (Number.isInteger(instance) && instance >= 0 && instance < 2 ** 32) return instance;
  throw new InputError(`${what}, port ${port}: wanted an instance from 0, found ${instance}`);
}

/** The message of a multicast group. @throws InputError naming the group. */
export function encodeMulticastGroup(group: MulticastGroup): p4.PacketReplicationEngineEntry {
  const { groupId, replicas, metadata } = group;
  const what = `multicast group ${groupId}`;
  if (!Number.isInteger(groupId) || groupId < 1 || groupId >= 2 ** 32) {
    throw new InputError(`${what}: wanted a number from 1`);
  }
  const multicastGroupEntry = new p4.MulticastGroupEntry({
    multicastGroupId: groupId,
    replicas: replicas.map((each) => encodeReplica(each, what)),
  });
  if (metadata !== undefined) multicastGroupEntry.metadata = metadata;
  return new p4.PacketReplicationEngineEntry({ multicastGroupEntry });
}

/** A group that a switch has sent. @throws InputError naming the group. */
export function decodeMulticastGroup(message: p4.MulticastGroupEntry): MulticastGroup {
  const { multicastGroupId: groupId, replicas, metadata } = message;
  const what = `multicast group ${groupId}`;
  return {
    kind: 'multicast-group',
    groupId,
    replicas: replicas.map((each) => decodeReplica(each, what)),
    ...(metadata.length > 0 && { metadata }),
  };
}

/** The message of a clone session. @throws InputError naming the session. */
export function encodeCloneSession(session: CloneSession): p4.PacketReplicationEngineEntry {
  const { sessionId, replicas, classOfService, packetLengthBytes } = session;
  const what = `clone session ${sessionId}`;
  if (!Number.isInteger(sessionId) || sessionId < 1 || sessionId >= 2 ** 32) {
    throw new InputError(`${what}: wanted a number from 1`);
  }
  if (!Number.isInteger(packetLengthBytes) || packetLengthBytes < 0) {
    throw new InputError(`${what}: wanted a packet length from 0, found ${packetLengthBytes}`);
  }
  const cloneSessionEntry = new p4.CloneSessionEntry({
    sessionId,
    replicas: replicas.map((each) => encodeReplica(each, what)),
    classOfService,
    packetLengthBytes,
  });
  return new p4.PacketReplicationEngineEntry({ cloneSessionEntry });
}

/** A session that a switch has sent. @throws InputError naming the session. */
export function decodeCloneSession(message: p4.CloneSessionEntry): CloneSession {
  const { sessionId, replicas, classOfService, packetLengthBytes } = message;
  const what = `clone session ${sessionId}`;
  return {
    kind: 'clone-session',
    sessionId,
    replicas: replicas.map((each) => decodeReplica(each, what)),
    classOfService,
    packetLengthBytes,
  };
}
