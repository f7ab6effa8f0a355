import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { encodeAction } from './action-call';
import type { RunningPipeline } from '../state/running-pipeline';
import { profileOf } from './write-member';
import type { Profile } from './write-member';

/** Members of one profile or of all; number 0 is a wildcard. @throws RpcError */
export function readMembers(
  running: RunningPipeline,
  filter: p4.ActionProfileMember,
): p4.ActionProfileMember[] {
  return visibleProfiles(running, filter.actionProfileId).flatMap(({ profile, control }) =>
    [...control.members()]
      .filter(({ memberId }) => filter.memberId === 0 || filter.memberId === memberId)
      .map(({ memberId, call }) => {
        const action = encodeAction(running, call);
        const base = { actionProfileId: profile.id, memberId };
        return new p4.ActionProfileMember(action === undefined ? base : { ...base, action });
      }),
  );
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

/** Profiles written in one shot show nothing: their members and groups are the server's own. */
function visibleProfiles(running: RunningPipeline, id: number): Profile[] {
  const ids = id === 0 ? running.info.actionProfiles.all.map((each) => each.id) : [id];
  return ids
    .map((each) => profileOf(running, each))
    .filter(({ profile }) => !running.oneShots.uses(profile.name));
}
