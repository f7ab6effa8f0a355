import { unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { KeptEntity } from '../../entities/identity';
import type {
  NamedEntity,
  DigestSettings,
  ExternInstance,
  ValueSet,
} from '../../entities/named-entity';
import {
  canonicalGroup,
  canonicalMember,
  decodeGroup,
  decodeMember,
  encodeGroup,
  encodeMember,
} from './action-profile';
import {
  canonicalCloneSession,
  canonicalMulticastGroup,
  decodeCloneSession,
  encodeCloneSession,
  decodeMulticastGroup,
  encodeMulticastGroup,
} from './replication';
import {
  decodeCounter,
  encodeCounter,
  decodeMeter,
  encodeMeter,
  decodeRegister,
  encodeRegister,
} from './array-cells';
import {
  decodeDirectCounter,
  encodeDirectCounter,
  decodeDirectMeter,
  encodeDirectMeter,
} from './direct-resources';
import {
  canonicalDefaultEntry,
  canonicalTableEntry,
  decodeTableEntry,
  encodeDefaultEntry,
  encodeTableEntry,
} from './table-entry';
import { sentObject, signed64 } from './wire-values';
import { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import { decodeMatch, encodeMatch } from './match-field';

/** The message of an entity. @throws InputError naming what does not fit the P4Info. */
export function encodeEntity(index: P4InfoIndex, entity: NamedEntity): p4.Entity {
  switch (entity.kind) {
    case 'table-entry':
      return new p4.Entity({ tableEntry: encodeTableEntry(index, entity) });
    case 'default-entry':
      return new p4.Entity({ tableEntry: encodeDefaultEntry(index, entity) });
    case 'member':
      return new p4.Entity({ actionProfileMember: encodeMember(index, entity) });
    case 'group':
      return new p4.Entity({ actionProfileGroup: encodeGroup(index, entity) });
    case 'counter':
      return new p4.Entity({ counterEntry: encodeCounter(index, entity) });
    case 'direct-counter':
      return new p4.Entity({ directCounterEntry: encodeDirectCounter(index, entity) });
    case 'meter':
      return new p4.Entity({ meterEntry: encodeMeter(index, entity) });
    case 'direct-meter':
      return new p4.Entity({ directMeterEntry: encodeDirectMeter(index, entity) });
    case 'register':
      return new p4.Entity({ registerEntry: encodeRegister(index, entity) });
    case 'multicast-group':
      return new p4.Entity({ packetReplicationEngineEntry: encodeMulticastGroup(entity) });
    case 'clone-session':
      return new p4.Entity({ packetReplicationEngineEntry: encodeCloneSession(entity) });
    case 'digest':
      return new p4.Entity({ digestEntry: encodeDigest(index, entity) });
    case 'value-set':
      return new p4.Entity({ valueSetEntry: encodeValueSet(index, entity) });
    case 'extern':
      return new p4.Entity({ externEntry: encodeExtern(index, entity) });
    default:
      return unreachable(entity);
  }
}

/** The entity in full names and with values as switches return them. @throws InputError likewise. */
export function canonicalEntity(index: P4InfoIndex, entity: KeptEntity): KeptEntity {
  switch (entity.kind) {
    case 'table-entry':
      return canonicalTableEntry(index, entity);
    case 'default-entry':
      return canonicalDefaultEntry(index, entity);
    case 'member':
      return canonicalMember(index, entity);
    case 'group':
      return canonicalGroup(index, entity);
    case 'multicast-group':
      return canonicalMulticastGroup(entity);
    case 'clone-session':
      return canonicalCloneSession(entity);
    default:
      return unreachable(entity);
  }
}

/** An entity that a switch has sent. @throws InputError when P4Info lacks what it refers to. */
export function decodeEntity(index: P4InfoIndex, message: p4.Entity): NamedEntity {
  switch (message.entity) {
    case 'tableEntry':
      return decodeTableEntry(index, message.tableEntry);
    case 'actionProfileMember':
      return decodeMember(index, message.actionProfileMember);
    case 'actionProfileGroup':
      return decodeGroup(index, message.actionProfileGroup);
    case 'counterEntry':
      return decodeCounter(index, message.counterEntry);
    case 'directCounterEntry':
      return decodeDirectCounter(index, message.directCounterEntry);
    case 'meterEntry':
      return decodeMeter(index, message.meterEntry);
    case 'directMeterEntry':
      return decodeDirectMeter(index, message.directMeterEntry);
    case 'registerEntry':
      return decodeRegister(index, message.registerEntry);
    case 'digestEntry':
      return decodeDigest(index, message.digestEntry);
    case 'valueSetEntry':
      return decodeValueSet(index, message.valueSetEntry);
    case 'externEntry':
      return decodeExtern(index, message.externEntry);
    case 'packetReplicationEngineEntry':
      return decodeReplication(message.packetReplicationEngineEntry);
    case 'none':
    case undefined:
      break;
  }
  throw new InputError('from the switch: an entity of no kind that P4Runtime 1.5 defines');
}

function decodeReplication(message: p4.PacketReplicationEngineEntry): NamedEntity {
  if (message.hasMulticastGroupEntry) return decodeMulticastGroup(message.multicastGroupEntry);
  if (message.hasCloneSessionEntry) return decodeCloneSession(message.cloneSessionEntry);
  throw new InputError('from the switch: a replication entry of no kind');
}

/** The message that enables and configures a digest. @throws InputError naming it. */
function encodeDigest(index: P4InfoIndex, entity: DigestSettings): p4.DigestEntry {
  const { id, name } = index.digests.get(entity.digest);
  const message = new p4.DigestEntry({ digestId: id });
  if (entity.config === undefined) return message;
  const { maxTimeoutNs, maxListSize, ackTimeoutNs } = entity.config;
  if (!Number.isInteger(maxListSize) || maxListSize < 0 || maxListSize >= 2 ** 31) {
    throw new InputError(`digest '${name}': wanted a list size from 0, found ${maxListSize}`);
  }
  message.config = new p4.DigestEntryConfig({
    maxTimeoutNs: signed64(maxTimeoutNs, `digest '${name}', max_timeout_ns`),
    maxListSize,
    ackTimeoutNs: signed64(ackTimeoutNs, `digest '${name}', ack_timeout_ns`),
  });
  return message;
}

/** A digest's settings that a switch has sent. @throws InputError when P4Info lacks the digest. */
function decodeDigest(index: P4InfoIndex, message: p4.DigestEntry): DigestSettings {
  const digest = sentObject(index.digests, message.digestId).name;
  if (!message.hasConfig) return { kind: 'digest', digest };
  const { maxTimeoutNs, maxListSize, ackTimeoutNs } = message.config;
  const times = { maxTimeoutNs: BigInt(maxTimeoutNs), ackTimeoutNs: BigInt(ackTimeoutNs) };
  return { kind: 'digest', digest, config: { ...times, maxListSize } };
}

/** The message of an extern's state, whose own message stays opaque. @throws InputError */
function encodeExtern(index: P4InfoIndex, entity: ExternInstance): p4.ExternEntry {
  const type = index.externTypes.get(entity.externType);
  return new p4.ExternEntry({
    externTypeId: type.id,
    externId: type.instances.get(entity.extern).id,
    entry: new Any({ typeUrl: entity.entry.typeUrl, value: entity.entry.value }),
  });
}

/** An extern's state that a switch has sent. @throws InputError when P4Info lacks the extern. */
function decodeExtern(index: P4InfoIndex, message: p4.ExternEntry): ExternInstance {
  const type = sentObject(index.externTypes, message.externTypeId);
  const { typeUrl, value } = message.hasEntry ? message.entry : new Any({});
  return {
    kind: 'extern',
    externType: type.name,
    extern: sentObject(type.instances, message.externId).name,
    entry: { typeUrl, value },
  };
}

/** The message of a parser value set with all its members. @throws InputError naming the set. */
function encodeValueSet(index: P4InfoIndex, entity: ValueSet): p4.ValueSetEntry {
  const info = index.valueSets.get(entity.valueSet);
  const key = { name: info.name, kind: 'value set', matchFields: info.matchFields };
  return new p4.ValueSetEntry({
    valueSetId: info.id,
    members: entity.members.map(
      (match) => new p4.ValueSetMember({ match: encodeMatch(key, match) }),
    ),
  });
}

/** A value set that a switch has sent. @throws InputError when P4Info lacks it. */
function decodeValueSet(index: P4InfoIndex, message: p4.ValueSetEntry): ValueSet {
  const info = sentObject(index.valueSets, message.valueSetId);
  const key = { name: info.name, kind: 'value set', matchFields: info.matchFields };
  const members = message.members.map(({ match }) => decodeMatch(key, match));
  return { kind: 'value-set', valueSet: info.name, members };
}
