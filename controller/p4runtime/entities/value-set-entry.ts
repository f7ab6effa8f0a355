import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { ValueSet } from '../../entities/named-entity';
import { sentObject } from './wire-values';
import { decodeMatch, encodeMatch } from './match-field';

/** The message of a parser value set with all its members. @throws InputError naming the set. */
export function encodeValueSet(index: P4InfoIndex, entity: ValueSet): p4.ValueSetEntry {
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
export function decodeValueSet(index: P4InfoIndex, message: p4.ValueSetEntry): ValueSet {
  const info = sentObject(index.valueSets, message.valueSetId);
  const key = { name: info.name, kind: 'value set', matchFields: info.matchFields };
  const members = message.members.map(({ match }) => decodeMatch(key, match));
  return { kind: 'value-set', valueSet: info.name, members };
}
