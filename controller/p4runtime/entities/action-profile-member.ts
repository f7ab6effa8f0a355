import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { ActionProfileMember } from '../../entities/action-profile';
import { decodeAction, encodeAction, tableOfProfile } from './action';
import { sentObject } from './array-cell';

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
