import { unreachable } from '../../common/assert';
import { RpcError } from '../../common/p4runtime/codes';
import type * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { ActionProfileInfo } from '../../common/p4runtime/p4info';
import type { EntryAction, GroupMember } from '../tables/types';
import type { RunningPipeline } from './device';
import { checkMaxSize, checkWatchPort, checkWeight } from './group-rules';
import { inState } from './state-errors';
import { profileOf, usedByEntry } from './write-member';
import type { Profile } from './write-member';
import type { UpdateType } from './write-table-entry';

/**
 * Applies one update to a group (P4Runtime 1.5.0, section "Group Programming").
 * @throws RpcError
 */
export function writeGroup(
  running: RunningPipeline,
  type: UpdateType,
  message: p4.ActionProfileGroup,
): void {
  const target = profileOf(running, message.actionProfileId);
  const { profile, control } = target;
  const { groupId } = message;
  const where = `action profile '${profile.name}', group ${groupId}`;
  running.oneShots.refuseManual(profile.name);
  if (!profile.withSelector) throw invalid(where, 'the profile has no selector');
  if (groupId === 0) throw invalid(where, "0 is not a group's number");
  inState(where, () => {
    switch (type) {
      case 'insert':
        control.insertGroup(groupId, decodeMembers(target, message), message.maxSize);
        return;
      case 'modify':
        refuseResize(target, message, where);
        control.modifyGroup(groupId, decodeMembers(target, message));
        return;
      case 'delete':
        refuseUsed(running, profile, groupId);
        control.deleteGroup(groupId);
        return;
      default:
        return unreachable(type);
    }
  });
}

function decodeMembers({ profile }: Profile, message: p4.ActionProfileGroup): GroupMember[] {
  const where = `action profile '${profile.name}', group ${message.groupId}`;
  const seen = new Set<number>();
  const members = message.members.map((member) => {
    const { memberId, weight } = member;
    if (seen.has(memberId)) throw invalid(where, `member ${memberId} is named twice`);
    seen.add(memberId);
    checkWeight(profile, weight);
    checkWatchPort(profile, member);
    return { memberId, weight };
  });
  checkMaxSize(
    profile,
    message.maxSize,
    members.map((each) => each.weight),
  );
  return members;
}

function refuseResize({ control }: Profile, message: p4.ActionProfileGroup, where: string): void {
  for (const { groupId, maxSize } of control.groups()) {
    if (groupId === message.groupId && maxSize !== message.maxSize) {
      throw invalid(where, `max_size was ${maxSize} and cannot become ${message.maxSize}`);
    }
  }
}

function refuseUsed(running: RunningPipeline, profile: ActionProfileInfo, groupId: number): void {
  const uses = (action: EntryAction): boolean =>
    action.kind === 'group' && action.groupId === groupId;
  if (!usedByEntry(running, profile, uses)) return;
  const where = `action profile '${profile.name}', group ${groupId}`;
  throw new RpcError('FAILED_PRECONDITION', `${where} is used by a table entry`);
}

function invalid(where: string, reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `${where}: ${reason}`);
}
