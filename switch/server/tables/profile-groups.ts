import { unreachable } from '../../../common/assert';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { RunningPipeline } from '../state/running-pipeline';
import { checkMaxSize, checkWeight, watchPortOf } from './group-rules';
import { inState } from '../errors/update-rules';
import { profileOf, visibleProfiles } from './profile-members';
import type { Profile } from './profile-members';
import type { WatchedMember } from '../state/watched-groups';
import type { UpdateType } from '../errors/update-rules';

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
  const { watched } = running;
  const { groupId } = message;
  const where = `action profile '${profile.name}', group ${groupId}`;
  running.oneShots.refuseManual(profile.name);
  if (!profile.withSelector) throw invalid(where, 'the profile has no selector');
  if (groupId === 0) throw invalid(where, "0 is not a group's number");
  inState(where, () => {
    switch (type) {
      case 'insert': {
        const members = decodeMembers(target, message);
        requireMembers(target, members, where);
        control.insertGroup(groupId, watched.live(members), message.maxSize);
        watched.set(control, groupId, members);
        return;
      }
      case 'modify': {
        refuseResize(target, message, where);
        const members = decodeMembers(target, message);
        requireMembers(target, members, where);
        control.modifyGroup(groupId, watched.live(members));
        watched.set(control, groupId, members);
        return;
      }
      case 'delete':
        refuseUsed(target, groupId);
        control.deleteGroup(groupId);
        watched.delete(profile.name, groupId);
        return;
      default:
        return unreachable(type);
    }
  });
}

/** Groups of one profile or of all; number 0 is a wildcard. @throws RpcError */
export function readGroups(
  running: RunningPipeline,
  filter: p4.ActionProfileGroup,
): p4.ActionProfileGroup[] {
  return visibleProfiles(running, filter.actionProfileId).flatMap(({ profile, control }) =>
    [...control.groups()]
      .filter(({ groupId }) => filter.groupId === 0 || filter.groupId === groupId)
      .map((group) => {
        const { groupId, maxSize } = group;
        const members = running.watched.members(control, group);
        const messages = members.map(({ memberId, weight, watchPort }) => {
          const shown = { memberId, weight: profile.weightsDisallowed ? 0 : weight };
          return new p4.ActionProfileGroupMember(
            watchPort.length === 0 ? shown : { ...shown, watchPort },
          );
        });
        const actionProfileId = profile.id;
        return new p4.ActionProfileGroup({ actionProfileId, groupId, members: messages, maxSize });
      }),
  );
}

function decodeMembers({ profile }: Profile, message: p4.ActionProfileGroup): WatchedMember[] {
  const where = `action profile '${profile.name}', group ${message.groupId}`;
  const seen = new Set<number>();
  const members = message.members.map((member) => {
    const { memberId, weight } = member;
    if (seen.has(memberId)) throw invalid(where, `member ${memberId} is named twice`);
    seen.add(memberId);
    checkWeight(profile, weight);
    const watchPort = watchPortOf(profile, member);
    return { memberId, weight: Math.max(weight, 1), watchPort };
  });
  checkMaxSize(
    profile,
    message.maxSize,
    members.map((each) => each.weight),
  );
  return members;
}

/** Members whose ports are down must exist too. @throws RpcError NOT_FOUND */
function requireMembers(
  { control }: Profile,
  members: readonly WatchedMember[],
  where: string,
): void {
  const missing = members.find(({ memberId }) => control.member(memberId) === undefined);
  if (missing === undefined) return;
  throw new RpcError('NOT_FOUND', `${where}: no member ${missing.memberId}`);
}

function refuseResize({ control }: Profile, message: p4.ActionProfileGroup, where: string): void {
  const maxSize = control.group(message.groupId)?.maxSize ?? message.maxSize;
  if (maxSize === message.maxSize) return;
  throw invalid(where, `max_size was ${maxSize} and cannot become ${message.maxSize}`);
}

function refuseUsed({ profile, control }: Profile, groupId: number): void {
  if (!control.isUsed({ kind: 'group', groupId })) return;
  const where = `action profile '${profile.name}', group ${groupId}`;
  throw new RpcError('FAILED_PRECONDITION', `${where} is used by a table entry`);
}

function invalid(where: string, reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `${where}: ${reason}`);
}
