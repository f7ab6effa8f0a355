import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { Replica, MulticastGroup, CloneSession } from '../../entities/replication';
import { checkedPort, decodePort, encodePort } from './wire-values';

/** The message of one copy of a packet, with its backups. */
function encodeReplica({ port, instance, backups = [] }: Replica): p4.Replica {
  const backupReplicas = backups.map(
    (each) => new p4.BackupReplica({ port: encodePort(each.port), instance: each.instance }),
  );
  const message = new p4.Replica({ instance, backupReplicas });
  // bmv2 takes port 0 in the older form only, where it is the default value.
  if (port === 0) older(message).egressPort = 0;
  else message.port = encodePort(port);
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

/** @throws InputError beginning with `what`. */
function checkedReplica({ backups = [], ...copy }: Replica, what: string): Replica {
  const copies = [copy, ...backups];
  copies.forEach(({ port, instance }, i) => {
    checkedPort(port, i === 0 ? what : `${what}, backup`);
    if (Number.isInteger(instance) && instance >= 0 && instance < 2 ** 32) return;
    throw new InputError(`${what}, port ${port}: wanted an instance from 0, found ${instance}`);
  });
  return backups.length > 0 ? { ...copy, backups } : copy;
}

/** The message of a multicast group. @throws InputError naming the group. */
export function encodeMulticastGroup(group: MulticastGroup): p4.PacketReplicationEngineEntry {
  const { groupId, replicas, metadata = new Uint8Array() } = canonicalMulticastGroup(group);
  const multicastGroupEntry = new p4.MulticastGroupEntry({
    multicastGroupId: groupId,
    replicas: replicas.map(encodeReplica),
    metadata,
  });
  return new p4.PacketReplicationEngineEntry({ multicastGroupEntry });
}

/** The group as a switch returns it. @throws InputError naming the group. */
export function canonicalMulticastGroup(group: MulticastGroup): MulticastGroup {
  const { kind, groupId, replicas, metadata } = group;
  const what = `multicast group ${groupId}`;
  if (!Number.isInteger(groupId) || groupId < 1 || groupId >= 2 ** 32) {
    throw new InputError(`${what}: wanted a number from 1`);
  }
  return {
    kind,
    groupId,
    replicas: replicas.map((each) => checkedReplica(each, what)),
    ...(metadata !== undefined && metadata.length > 0 && { metadata }),
  };
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
  const { sessionId, replicas, classOfService, packetLengthBytes } = canonicalCloneSession(session);
  const cloneSessionEntry = new p4.CloneSessionEntry({
    sessionId,
    replicas: replicas.map(encodeReplica),
    classOfService,
    packetLengthBytes,
  });
  return new p4.PacketReplicationEngineEntry({ cloneSessionEntry });
}

/** The session as a switch returns it. @throws InputError naming the session. */
export function canonicalCloneSession(session: CloneSession): CloneSession {
  const { sessionId, replicas, packetLengthBytes } = session;
  const what = `clone session ${sessionId}`;
  if (!Number.isInteger(sessionId) || sessionId < 1 || sessionId >= 2 ** 32) {
    throw new InputError(`${what}: wanted a number from 1`);
  }
  if (!Number.isInteger(packetLengthBytes) || packetLengthBytes < 0) {
    throw new InputError(`${what}: wanted a packet length from 0, found ${packetLengthBytes}`);
  }
  return { ...session, replicas: replicas.map((each) => checkedReplica(each, what)) };
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
