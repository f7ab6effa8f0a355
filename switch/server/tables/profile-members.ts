import { unreachable } from '../../../common/assert';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { ActionProfileInfo } from '../../../common/p4runtime/p4info';
import type { ActionCall, ActionProfileControl } from '../../control/table-control';
import { decodeProfileAction, encodeCall } from './action-call';
import { objectOf, stateOf } from '../externs/array-index';
import type { RunningPipeline } from '../state/running-pipeline';
import { refusalOfState } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';

/**
 * Applies one update to a member (P4Runtime 1.5.0, section "Member Programming").
 * @throws RpcError
 */
export function writeMember(
  running: RunningPipeline,
  type: UpdateType,
  message: p4.ActionProfileMember,
): void {
  const { profile, control } = profileOf(running, message.actionProfileId);
  const { memberId } = message;
  running.oneShots.refuseManual(profile.name);
  if (memberId === 0) {
    throw new RpcError(
      'INVALID_ARGUMENT',
      `${wordsOfMember(profile, 0)}: 0 is not a member's number`,
    );
  }
  // PERF: as with entries, nothing here makes closures.
  try {
    switch (type) {
      case 'insert':
        control.insertMember(memberId, callOf(running, profile, message));
        return;
      case 'modify':
        control.modifyMember(memberId, callOf(running, profile, message));
        return;
      case 'delete':
        refuseUsed(running, { profile, control }, memberId);
        control.deleteMember(memberId);
        return;
      default:
        unreachable(type);
    }
  } catch (error) {
    throw refusalOfState(() => wordsOfMember(profile, memberId), error);
  }
}

function callOf(
  running: RunningPipeline,
  profile: ActionProfileInfo,
  { hasAction, action, memberId }: p4.ActionProfileMember,
): ActionCall {
  if (hasAction) return decodeProfileAction(running, profile, action);
  const where = wordsOfMember(profile, memberId);
  throw new RpcError('INVALID_ARGUMENT', `${where}: a member wants an action`);
}

const wordsOfMember = ({ name }: ActionProfileInfo, memberId: number): string =>
  `action profile '${name}', member ${memberId}`;

/** Members of one profile or of all; number 0 is a wildcard. @throws RpcError */
export function readMembers(
  running: RunningPipeline,
  filter: p4.ActionProfileMember,
): p4.ActionProfileMember[] {
  return visibleProfiles(running, filter.actionProfileId).flatMap(({ profile, control }) =>
    [...control.members()]
      .filter(({ memberId }) => filter.memberId === 0 || filter.memberId === memberId)
      .map(({ memberId, call }) => {
        const action = encodeCall(running, call);
        const base = { actionProfileId: profile.id, memberId };
        return new p4.ActionProfileMember(action === undefined ? base : { ...base, action });
      }),
  );
}

export interface Profile {
  readonly profile: ActionProfileInfo;
  readonly control: ActionProfileControl;
}

/** @throws RpcError INVALID_ARGUMENT naming what exists. */
export function profileOf(running: RunningPipeline, id: number): Profile {
  const profile = objectOf(running.info.actionProfiles, id);
  return { profile, control: stateOf(running.control.actionProfiles, profile) };
}

/** Profiles written in one shot show nothing: their members and groups are the server's own. */
export function visibleProfiles(running: RunningPipeline, id: number): Profile[] {
  const ids = id === 0 ? running.info.actionProfiles.all.map((each) => each.id) : [id];
  return ids
    .map((each) => profileOf(running, each))
    .filter(({ profile }) => !running.oneShots.uses(profile.name));
}

function refuseUsed(
  running: RunningPipeline,
  { profile, control }: Profile,
  memberId: number,
): void {
  const groupId = running.watched.groupOf(control, memberId);
  if (groupId !== undefined) {
    throw new RpcError(
      'FAILED_PRECONDITION',
      `${wordsOfMember(profile, memberId)} is in group ${groupId}`,
    );
  }
  if (control.isUsed({ kind: 'member', memberId })) {
    throw new RpcError(
      'FAILED_PRECONDITION',
      `${wordsOfMember(profile, memberId)} is used by a table entry`,
    );
  }
}
