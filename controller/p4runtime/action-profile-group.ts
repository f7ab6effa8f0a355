import { InputError } from '../../common/errors';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { ActionProfileGroup } from '../intent/entities';

/** The message of a group. @throws InputError naming what does not fit the P4Info. */
export function encodeGroup(
  index: P4InfoIndex,
  { actionProfile, groupId, members, maxSize }: ActionProfileGroup,
): p4.ActionProfileGroup {
  const profile = index.actionProfiles.get(actionProfile);
  if (!profile.withSelector) {
    throw new InputError(`action profile '${profile.name}': without a selector it has no groups`);
  }
  return new p4.ActionProfileGroup({
    actionProfileId: profile.id,
    groupId,
    members: members.map((each) => new p4.ActionProfileGroupMember({ ...each })),
    maxSize,
  });
}

/** A group that a switch has sent. @throws InputError when P4Info lacks its profile. */
export function decodeGroup(
  index: P4InfoIndex,
  message: p4.ActionProfileGroup,
): ActionProfileGroup {
  const profile = index.actionProfiles.byNumber(message.actionProfileId);
  if (profile === undefined) {
    throw new InputError(`P4Info has no action profile ${message.actionProfileId}`);
  }
  return {
    kind: 'group',
    actionProfile: profile.name,
    groupId: message.groupId,
    members: message.members.map(({ memberId, weight }) => ({ memberId, weight })),
    maxSize: message.maxSize,
  };
}
