import { unreachable } from '../../../common/assert';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { RunningPipeline } from '../state/running-pipeline';
import { writeCloneSession } from '../replication/clone-session-entries';
import { writeCounter } from '../externs/counter-entries';
import { writeDigest } from '../externs/digest-entries';
import { writeDirectCounter, writeDirectMeter } from '../tables/direct-entries';
import { writeMeter } from '../externs/meter-entries';
import { writeMulticastGroup } from '../replication/multicast-entries';
import { writeRegister } from '../externs/register-entries';
import { unsupportedEntity } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';
import { writeValueSet } from '../tables/value-set-entries';
import { writeGroup } from '../tables/profile-groups';
import { writeMember } from '../tables/profile-members';
import { writeTableEntry } from '../tables/write-table-entry';

const TYPES = new Map<p4.UpdateType, UpdateType>([
  [p4.UpdateType.INSERT, 'insert'],
  [p4.UpdateType.MODIFY, 'modify'],
  [p4.UpdateType.DELETE, 'delete'],
]);

/** Applies one update, whole or not at all. @throws RpcError */
export function applyUpdate(
  running: RunningPipeline,
  updateType: p4.UpdateType,
  entity: p4.Entity,
): void {
  const type = TYPES.get(updateType);
  if (type === undefined) throw new RpcError('INVALID_ARGUMENT', 'an update wants a type');
  const write = writerOf(running, entity);
  if (write === undefined) throw unsupportedEntity(entity, 'write');
  write(type);
}

type Writer = (type: UpdateType) => void;

function writerOf(running: RunningPipeline, entity: p4.Entity): Writer | undefined {
  switch (entity.entity) {
    case 'tableEntry':
      return (type) => writeTableEntry(running, type, entity.tableEntry);
    case 'actionProfileMember':
      return (type) => writeMember(running, type, entity.actionProfileMember);
    case 'actionProfileGroup':
      return (type) => writeGroup(running, type, entity.actionProfileGroup);
    case 'meterEntry':
      return (type) => writeMeter(running, type, entity.meterEntry);
    case 'directMeterEntry':
      return (type) => writeDirectMeter(running, type, entity.directMeterEntry);
    case 'counterEntry':
      return (type) => writeCounter(running, type, entity.counterEntry);
    case 'directCounterEntry':
      return (type) => writeDirectCounter(running, type, entity.directCounterEntry);
    case 'packetReplicationEngineEntry':
      return replicationWriter(running, entity.packetReplicationEngineEntry);
    case 'valueSetEntry':
      return (type) => writeValueSet(running, type, entity.valueSetEntry);
    case 'registerEntry':
      return (type) => writeRegister(running, type, entity.registerEntry);
    case 'digestEntry':
      return (type) => writeDigest(running, type, entity.digestEntry);
    case 'externEntry':
    case 'none':
    case undefined:
      return undefined;
    default:
      return unreachable(entity.entity);
  }
}

function replicationWriter(
  { replication }: RunningPipeline,
  entry: p4.PacketReplicationEngineEntry,
): Writer {
  if (entry.hasMulticastGroupEntry) {
    return (type) => writeMulticastGroup(replication, type, entry.multicastGroupEntry);
  }
  if (entry.hasCloneSessionEntry) {
    return (type) => writeCloneSession(replication, type, entry.cloneSessionEntry);
  }
  throw new RpcError('INVALID_ARGUMENT', 'a write wants a multicast group or a clone session');
}
