import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { ActionProfileMember, ActionProfileGroup, GroupMember } from '../../entities/action';
import { decodeAction, encodeAction, tableOfProfile } from './action';
import { sentObject } from './wire-values';
import { InputError } from '../../../common/errors';
import { checkedWeight, decodeWatchPort, encodeWatchPort } from './entry-action';

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
export function encodeGroup(
  index: P4InfoIndex,
  { actionProfile, groupId, members, maxSize }: ActionProfileGroup,
): p4.ActionProfileGroup {
  const profile = index.actionProfiles.get(actionProfile);
  const what = `action profile '${profile.name}'`;
  if (!profile.withSelector) throw new InputError(`${what}: without a selector it has no groups`);
  return new p4.ActionProfileGroup({
    actionProfileId: profile.id,
    groupId,
    members: members.map((each) => encodeGroupMember(each, `${what}, group ${groupId}`)),
    maxSize,
  });
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

function encodeGroupMember(
  { memberId, weight, watchPort }: GroupMember,
  group: string,
): p4.ActionProfileGroupMember {
  const what = `${group}, member ${memberId}`;
  return new p4.ActionProfileGroupMember({
    memberId,
    weight: checkedWeight(weight, what),
    ...encodeWatchPort(watchPort, `${what}, watch port`),
  });
}
