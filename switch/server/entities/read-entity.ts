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
import { mapped } from '../turns/lazily';
import type { Pause } from '../turns/lazily';

/**
 * The entities that a filter lets through, made when they are asked for: the whole answer may be
 * larger than memory. Table entries, members and groups are those of now; counters, meters and
 * registers, which packets change, are read when their turn comes. Between entities that are far to
 * seek, there are pauses. @throws RpcError
 */
export function readEntity(
  running: RunningPipeline,
  filter: p4.Entity,
): Iterable<p4.Entity | Pause> {
  switch (filter.entity) {
    case 'tableEntry':
      return mapped(
        readTableEntries(running, filter.tableEntry),
        (tableEntry) => new p4.Entity({ tableEntry }),
      );
    case 'actionProfileMember':
      return mapped(
        readMembers(running, filter.actionProfileMember),
        (actionProfileMember) => new p4.Entity({ actionProfileMember }),
      );
    case 'actionProfileGroup':
      return mapped(
        readGroups(running, filter.actionProfileGroup),
        (actionProfileGroup) => new p4.Entity({ actionProfileGroup }),
      );
    case 'packetReplicationEngineEntry':
      return readReplication(running, filter.packetReplicationEngineEntry);
    case 'valueSetEntry':
      return mapped(
        readValueSets(running, filter.valueSetEntry),
        (valueSetEntry) => new p4.Entity({ valueSetEntry }),
      );
    case 'digestEntry':
      return mapped(
        readDigests(running, filter.digestEntry),
        (digestEntry) => new p4.Entity({ digestEntry }),
      );
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
function readArrays(running: RunningPipeline, filter: p4.Entity): Iterable<p4.Entity | Pause> {
  if (filter.hasCounterEntry) {
    return mapped(
      readCounters(running, filter.counterEntry),
      (counterEntry) => new p4.Entity({ counterEntry }),
    );
  }
  if (filter.hasDirectCounterEntry) {
    return mapped(
      readDirectCounters(running, filter.directCounterEntry),
      (directCounterEntry) => new p4.Entity({ directCounterEntry }),
    );
  }
  if (filter.hasMeterEntry) {
    return mapped(
      readMeters(running, filter.meterEntry),
      (meterEntry) => new p4.Entity({ meterEntry }),
    );
  }
  if (filter.hasDirectMeterEntry) {
    return mapped(
      readDirectMeters(running, filter.directMeterEntry),
      (directMeterEntry) => new p4.Entity({ directMeterEntry }),
    );
  }
  return mapped(
    readRegisters(running, filter.registerEntry),
    (registerEntry) => new p4.Entity({ registerEntry }),
  );
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
