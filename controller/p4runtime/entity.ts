import { unreachable } from '../../common/assert';
import { InputError } from '../../common/errors';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { NamedEntity } from '../intent/entities';
import { decodeGroup, encodeGroup } from './action-profile-group';
import { decodeMember, encodeMember } from './action-profile-member';
import { decodeTableEntry, encodeDefaultEntry, encodeTableEntry } from './table-entry';

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
    default:
      return unreachable(entity);
  }
}

/** An entity that a switch has sent. @throws InputError for kinds that were not asked for. */
export function decodeEntity(index: P4InfoIndex, message: p4.Entity): NamedEntity {
  if (message.hasTableEntry) return decodeTableEntry(index, message.tableEntry);
  if (message.hasActionProfileMember) return decodeMember(index, message.actionProfileMember);
  if (message.hasActionProfileGroup) return decodeGroup(index, message.actionProfileGroup);
  throw new InputError(`the switch has sent a ${message.entity}, which nobody has asked for`);
}
