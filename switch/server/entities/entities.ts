import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { unsupportedEntity } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';
import { readCounters, writeCounter } from '../externs/counter-entries';
import { readDigests, writeDigest } from '../externs/digest-entries';
import { readMeters, writeMeter } from '../externs/meter-entries';
import { readRegisters, writeRegister } from '../externs/register-entries';
import { readCloneSessions, writeCloneSession } from '../replication/clone-session-entries';
import { readMulticastGroups, writeMulticastGroup } from '../replication/multicast-entries';
import type { Replication } from '../replication/replication';
import type { RunningPipeline } from '../state/running-pipeline';
import {
  readDirectCounters,
  readDirectMeters,
  writeDirectCounter,
  writeDirectMeter,
} from '../tables/direct-entries';
import { readGroups, writeGroup } from '../tables/profile-groups';
import { readMembers, writeMember } from '../tables/profile-members';
import { readTableEntries } from '../tables/read-table-entry';
import { readValueSets, writeValueSet } from '../tables/value-set-entries';
import { writeTableEntry } from '../tables/write-table-entry';
import { mapped } from '../turns/lazily';
import type { Pause } from '../turns/lazily';

/** Reads and writes of one kind of entity. Both throw RpcError. */
interface EntityKind<State, Message> {
  readonly read: (state: State, filter: Message) => Iterable<Message | Pause>;
  /** Applies one update, whole or not at all. */
  readonly write: (state: State, type: UpdateType, message: Message) => void;
}

type Kinds<State, Messages, Name extends keyof Messages> = {
  readonly [Each in Name]: EntityKind<State, Messages[Each]>;
};

type KindName = Exclude<
  NonNullable<p4.Entity['entity']>,
  'none' | 'externEntry' | 'packetReplicationEngineEntry'
>;

const KINDS: Kinds<RunningPipeline, p4.Entity, KindName> = {
  tableEntry: { read: readTableEntries, write: writeTableEntry },
  actionProfileMember: { read: readMembers, write: writeMember },
  actionProfileGroup: { read: readGroups, write: writeGroup },
  meterEntry: { read: readMeters, write: writeMeter },
  directMeterEntry: { read: readDirectMeters, write: writeDirectMeter },
  counterEntry: { read: readCounters, write: writeCounter },
  directCounterEntry: { read: readDirectCounters, write: writeDirectCounter },
  valueSetEntry: { read: readValueSets, write: writeValueSet },
  registerEntry: { read: readRegisters, write: writeRegister },
  digestEntry: { read: readDigests, write: writeDigest },
};

const REPLICATION: Kinds<
  Replication,
  p4.PacketReplicationEngineEntry,
  'multicastGroupEntry' | 'cloneSessionEntry'
> = {
  multicastGroupEntry: { read: readMulticastGroups, write: writeMulticastGroup },
  cloneSessionEntry: { read: readCloneSessions, write: writeCloneSession },
};

const TYPES = new Map<p4.UpdateType, UpdateType>([
  [p4.UpdateType.INSERT, 'insert'],
  [p4.UpdateType.MODIFY, 'modify'],
  [p4.UpdateType.DELETE, 'delete'],
]);

/**
 * Entities that match a filter, made when they are read: the whole answer may be larger than
 * memory. Table entries, members and groups are those of now; counters, meters and registers, which
 * packets change, are read when their turn comes. There are pauses between entities that take long
 * to find.
 * @throws RpcError
 */
export function readEntity(
  running: RunningPipeline,
  filter: p4.Entity,
): Iterable<p4.Entity | Pause> {
  const { kind, state, name, message, wrap } = addressed(running, filter, 'read');
  return mapped(kind.read(state, message), (each) => wrap({ [name]: each }));
}

/** Applies one update, whole or not at all. @throws RpcError */
export function applyUpdate(
  running: RunningPipeline,
  updateType: p4.UpdateType,
  entity: p4.Entity,
): void {
  const type = TYPES.get(updateType);
  if (type === undefined) throw new RpcError('INVALID_ARGUMENT', 'an update wants a type');
  // PERF: nearly all updates are of these two, hundreds of thousands a second.
  if (entity.hasTableEntry) writeTableEntry(running, type, entity.tableEntry);
  else if (entity.hasActionProfileMember) writeMember(running, type, entity.actionProfileMember);
  else {
    const { kind, state, message } = addressed(running, entity, 'write');
    kind.write(state, type, message);
  }
}

/** An entity by its kind, and the way back to the message around it. */
interface Addressed {
  readonly kind: EntityKind<unknown, object>;
  readonly state: unknown;
  readonly name: string;
  readonly message: object;
  readonly wrap: (fields: object) => p4.Entity;
}

function addressed(running: RunningPipeline, entity: p4.Entity, verb: 'read' | 'write'): Addressed {
  const { entity: name } = entity;
  if (name === undefined || name === 'none' || name === 'externEntry') {
    throw unsupportedEntity(entity, verb);
  }
  if (name !== 'packetReplicationEngineEntry') {
    const wrap = (fields: object): p4.Entity => new p4.Entity(fields);
    const kind = KINDS[name] as EntityKind<unknown, object>;
    return { kind, state: running, name, message: entity[name], wrap };
  }
  const { packetReplicationEngineEntry: replication } = entity;
  const { type } = replication;
  if (type === undefined || type === 'none') {
    throw new RpcError('INVALID_ARGUMENT', `a ${verb} wants a multicast group or a clone session`);
  }
  const kind = REPLICATION[type] as EntityKind<unknown, object>;
  const wrap = (fields: object): p4.Entity => {
    const entry = new p4.PacketReplicationEngineEntry(fields);
    return new p4.Entity({ packetReplicationEngineEntry: entry });
  };
  const state = running.replication;
  return { kind, state, name: type, message: replication[type], wrap };
}
