import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { decodeReplicas, encodeReplicas } from './replicas';
import { applyNumbered } from './replication';
import type { Replication } from './replication';
import { requirePart } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';

/** As on bmv2, where higher numbers are those of clone sessions. */
const GROUP_MAX = 0x7fff;

/** Applies one update to a multicast group (P4Runtime 1.5.0, "MulticastGroupEntry"). @throws RpcError */
export function writeMulticastGroup(
  replication: Replication,
  type: UpdateType,
  entry: p4.MulticastGroupEntry,
): void {
  const id = entry.multicastGroupId;
  const where = `multicast group ${id}`;
  if (id < 1 || id > GROUP_MAX) {
    throw new RpcError('INVALID_ARGUMENT', `${where}: wanted a number from 1 to ${GROUP_MAX}`);
  }
  const control = requirePart(replication.control.multicast, 'multicast groups');
  applyNumbered(replication.groups, {
    type,
    id,
    entry,
    where,
    set: () => control.setGroup(id, decodeReplicas(entry.replicas, where)),
    remove: () => control.deleteGroup(id),
  });
}

/** The group with the filter's number, or all for number 0. */
export function readMulticastGroups(
  replication: Replication,
  filter: p4.MulticastGroupEntry,
): p4.MulticastGroupEntry[] {
  const wanted = filter.multicastGroupId;
  return [...replication.groups.values()]
    .filter(({ multicastGroupId }) => wanted === 0 || wanted === multicastGroupId)
    .map(({ multicastGroupId, replicas, metadata }) => {
      const found = encodeReplicas(replicas);
      return new p4.MulticastGroupEntry({ multicastGroupId, replicas: found, metadata });
    });
}
