import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { ActionProfileMember, ActionProfileGroup } from '../../entities/action';
import { canonicalAction, decodeAction, encodeAction, tableOfProfile } from './action';
import { sentObject } from './wire-values';
import { InputError } from '../../../common/errors';
import { checkedShare, decodeWatchPort, encodeWatchPort } from './entry-action';

/** The message of a member. @throws InputError naming what does not fit the P4Info. */
export function encodeMember(
  index: P4InfoIndex,
  { actionProfile, memberId, action }: ActionProfileMember,
): p4.ActionProfileMember {
  return new p4.ActionProfileMember({
    actionProfileId: index.actionProfiles.get(actionProfile).id,
    memberId,
    action: encodeAction(tableOfProfile(index, actionProfile), action),
  });
}

/** The member in full names and the values that a switch returns. @throws InputError likewise. */
export const canonicalMember = (
  index: P4InfoIndex,
  member: ActionProfileMember,
): ActionProfileMember => ({
  ...member,
  actionProfile: index.actionProfiles.get(member.actionProfile).name,
  action: canonicalAction(tableOfProfile(index, member.actionProfile), member.action),
});

/** A member that a switch has sent. @throws InputError when P4Info lacks what it refers to. */
export function decodeMember(
  index: P4InfoIndex,
  message: p4.ActionProfileMember,
): ActionProfileMember {
  return {
    kind: 'member',
    actionProfile: sentObject(index.actionProfiles, message.actionProfileId).name,
    memberId: message.memberId,
    action: decodeAction(index, message.action),
  };
}

/** The message of a group. @throws InputError naming what does not fit the P4Info. */
export function encodeGroup(index: P4InfoIndex, group: ActionProfileGroup): p4.ActionProfileGroup {
  const { actionProfile, groupId, members, maxSize } = canonicalGroup(index, group);
  return new p4.ActionProfileGroup({
    actionProfileId: index.actionProfiles.get(actionProfile).id,
    groupId,
    members: members.map(
      ({ memberId, weight, watchPort }) =>
        new p4.ActionProfileGroupMember({ memberId, weight, ...encodeWatchPort(watchPort) }),
    ),
    maxSize,
  });
}

/** The group with the full name of its profile. @throws InputError likewise. */
export function canonicalGroup(index: P4InfoIndex, group: ActionProfileGroup): ActionProfileGroup {
  const { name, withSelector } = index.actionProfiles.get(group.actionProfile);
  const what = `action profile '${name}'`;
  if (!withSelector) throw new InputError(`${what}: without a selector it has no groups`);
  const members = group.members.map((each) =>
    checkedShare(each, `${what}, group ${group.groupId}, member ${each.memberId}`),
  );
  return { ...group, actionProfile: name, members };
}

/** A group that a switch has sent. @throws InputError when P4Info lacks its profile. */
export function decodeGroup(
  index: P4InfoIndex,
  message: p4.ActionProfileGroup,
): ActionProfileGroup {
  const { name } = sentObject(index.actionProfiles, message.actionProfileId);
  const what = `action profile '${name}', group ${message.groupId}`;
  const members = message.members.map((each) => {
    const { memberId, weight } = each;
    return { memberId, weight, ...decodeWatchPort(each, what) };
  });
  const { groupId, maxSize } = message;
  return { kind: 'group', actionProfile: name, groupId, members, maxSize };
}
