import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { objectOf, objectsOf, stateOf } from '../externs/array-index';
import type { RunningPipeline } from '../state/running-pipeline';
import { keyText } from '../state/entry-notes';
import { decodeKey, encodeKey } from '../../../common/p4runtime/match-codec';
import { inState, requireModify } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';

/**
 * Replaces the members of a parser value set (P4Runtime 1.5.0, section "ValueSetEntry").
 * @throws RpcError
 */
export function writeValueSet(
  running: RunningPipeline,
  type: UpdateType,
  entry: p4.ValueSetEntry,
): void {
  const info = objectOf(running.info.valueSets, entry.valueSetId);
  const where = `value set '${info.name}'`;
  requireModify(type, where);
  if (entry.members.length > info.size) {
    const reason = `wanted at most ${info.size} members, found ${entry.members.length}`;
    throw new RpcError('RESOURCE_EXHAUSTED', `${where}: ${reason}`);
  }
  const members = entry.members.map(({ match }) => decodeKey(info, match, where));
  if (new Set(members.map(keyText)).size < members.length) {
    throw new RpcError('ALREADY_EXISTS', `${where}: a member is there twice`);
  }
  const control = stateOf(running.control.valueSets, info);
  inState(where, () => control.setMembers(members));
}

/** One value set or all. @throws RpcError */
export function readValueSets(
  running: RunningPipeline,
  filter: p4.ValueSetEntry,
): p4.ValueSetEntry[] {
  return objectsOf(running.info.valueSets, filter.valueSetId).map((info) => {
    const control = stateOf(running.control.valueSets, info);
    const members = [...control.members()].map((member) => {
      return new p4.ValueSetMember({ match: encodeKey(info, member) });
    });
    return new p4.ValueSetEntry({ valueSetId: info.id, members });
  });
}
