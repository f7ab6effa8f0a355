import { unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { NamedEntity } from '../../entities/named-entity';
import { decodeGroup, encodeGroup, decodeMember, encodeMember } from './action-profile';
import {
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
import { decodeDigest, encodeDigest } from './digest-entry';
import {
  decodeDirectCounter,
  encodeDirectCounter,
  decodeDirectMeter,
  encodeDirectMeter,
} from './direct-resources';
import { decodeExtern, encodeExtern } from './extern-entry';
import { decodeTableEntry, encodeDefaultEntry, encodeTableEntry } from './table-entry';
import { decodeValueSet, encodeValueSet } from './value-set-entry';

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
