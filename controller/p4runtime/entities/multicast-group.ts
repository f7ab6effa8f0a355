import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { MulticastGroup } from '../../entities/replication';
import { decodeReplica, encodeReplica } from './replica';

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
