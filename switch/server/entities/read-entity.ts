import { unreachable } from '../../../common/assert';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { readCloneSessions } from '../replication/clone-session-entries';
import { readCounters } from '../externs/counter-entries';
import type { RunningPipeline } from '../state/running-pipeline';
import { readDigests } from '../externs/digest-entries';
import { readDirectCounters, readDirectMeters } from '../tables/direct-entries';
import { readMeters } from '../externs/meter-entries';
import { readMulticastGroups } from '../replication/multicast-entries';
import { readGroups } from '../tables/profile-groups';
import { readMembers } from '../tables/profile-members';
import { readTableEntries } from '../tables/read-table-entry';
import { readRegisters } from '../externs/register-entries';
import { unsupportedEntity } from '../errors/update-rules';
import { readValueSets } from '../tables/value-set-entries';

/** The entities that a filter lets through. @throws RpcError */
export function readEntity(running: RunningPipeline, filter: p4.Entity): p4.Entity[] {
  switch (filter.entity) {
    case 'tableEntry':
      return readTableEntries(running, filter.tableEntry).map((tableEntry) => {
        return new p4.Entity({ tableEntry });
      });
    case 'actionProfileMember':
      return readMembers(running, filter.actionProfileMember).map((actionProfileMember) => {
        return new p4.Entity({ actionProfileMember });
      });
    case 'actionProfileGroup':
      return readGroups(running, filter.actionProfileGroup).map((actionProfileGroup) => {
        return new p4.Entity({ actionProfileGroup });
      });
    case 'packetReplicationEngineEntry':
      return readReplication(running, filter.packetReplicationEngineEntry);
    case 'valueSetEntry':
      return readValueSets(running, filter.valueSetEntry).map((valueSetEntry) => {
        return new p4.Entity({ valueSetEntry });
      });
    case 'digestEntry':
      return readDigests(running, filter.digestEntry).map((digestEntry) => {
        return new p4.Entity({ digestEntry });
      });
    case 'counterEntry':
    case 'directCounterEntry':
    case 'meterEntry':
    case 'directMeterEntry':
    case 'registerEntry':
      return readArrays(running, filter);
    case 'externEntry':
    case 'none':
    case undefined:
      throw unsupportedEntity(filter, 'read');
    default:
      return unreachable(filter.entity);
  }
}

/** Counters, meters and registers. */
function readArrays(running: RunningPipeline, filter: p4.Entity): p4.Entity[] {
  if (filter.hasCounterEntry) {
    return readCounters(running, filter.counterEntry).map((counterEntry) => {
      return new p4.Entity({ counterEntry });
    });
  }
  if (filter.hasDirectCounterEntry) {
    return readDirectCounters(running, filter.directCounterEntry).map((directCounterEntry) => {
      return new p4.Entity({ directCounterEntry });
    });
  }
  if (filter.hasMeterEntry) {
    return readMeters(running, filter.meterEntry).map((meterEntry) => {
      return new p4.Entity({ meterEntry });
    });
  }
  if (filter.hasDirectMeterEntry) {
    return readDirectMeters(running, filter.directMeterEntry).map((directMeterEntry) => {
      return new p4.Entity({ directMeterEntry });
    });
  }
  return readRegisters(running, filter.registerEntry).map((registerEntry) => {
    return new p4.Entity({ registerEntry });
  });
}

function readReplication(
  { replication }: RunningPipeline,
  filter: p4.PacketReplicationEngineEntry,
): p4.Entity[] {
  const wrap = (fields: ConstructorParameters<typeof p4.PacketReplicationEngineEntry>[0]) =>
    new p4.Entity({ packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry(fields) });
  if (filter.hasMulticastGroupEntry) {
    const groups = readMulticastGroups(replication, filter.multicastGroupEntry);
    return groups.map((multicastGroupEntry) => wrap({ multicastGroupEntry }));
  }
  if (filter.hasCloneSessionEntry) {
    const sessions = readCloneSessions(replication, filter.cloneSessionEntry);
    return sessions.map((cloneSessionEntry) => wrap({ cloneSessionEntry }));
  }
  throw new RpcError('INVALID_ARGUMENT', 'a read wants a multicast group or a clone session');
}
