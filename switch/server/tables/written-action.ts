import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { ActionProfileInfo, TableInfo } from '../../../common/p4runtime/p4info';
import type { ActionProfileControl, EntryAction } from '../../control/table-control';
import { decodeProfileAction, decodeTableAction } from './action-call';
import type { RunningPipeline } from '../state/running-pipeline';
import type { EntryNote } from '../state/entry-notes';
import { checkWeight, groupSize, watchPortOf } from './group-rules';

/** The action of an entry, and what had to be made for it. */
export interface DecodedAction {
  readonly action: EntryAction;
  readonly oneShot?: EntryNote['oneShot'];
  /** Takes back what was made, when the entry is refused after all. */
  undo(): void;
}

/**
 * Reads what an entry does: an action of a direct table; a member, a group or a one-shot set of an
 * indirect one. @throws RpcError
 */
export function decodeEntryAction(
  running: RunningPipeline,
  table: TableInfo,
  message: p4.TableAction,
): DecodedAction {
  const profile = running.info.actionProfiles.byNumber(table.actionProfileId ?? 0);
  if (message.type === 'action') {
    if (profile !== undefined) throw invalid(table, `wanted a member, found an action`);
    const call = decodeTableAction(running, table, message.action, 'entry');
    return plain({ kind: 'call', call });
  }
  if (profile === undefined) throw invalid(table, 'wanted an action, found none');
  if (message.type === 'actionProfileActionSet') {
    return decodeOneShot(running, profile, message.actionProfileActionSet);
  }
  running.oneShots.refuseManual(profile.name);
  if (message.type === 'actionProfileMemberId') {
    return plain({ kind: 'member', memberId: message.actionProfileMemberId });
  }
  if (message.type !== 'actionProfileGroupId') throw invalid(table, 'an entry wants an action');
  if (!profile.withSelector) throw invalid(table, 'its action profile has no groups');
  return plain({ kind: 'group', groupId: message.actionProfileGroupId });
}

function plain(action: EntryAction): DecodedAction {
  return { action, undo: nothing };
}

const nothing = (): void => undefined;

function decodeOneShot(
  running: RunningPipeline,
  profile: ActionProfileInfo,
  set: p4.ActionProfileActionSet,
): DecodedAction {
  const control = oneShotProfile(running, profile, set);
  const calls = set.actionProfileActions.map((each) => {
    checkWeight(profile, each.weight);
    const watchPort = watchPortOf(profile, each);
    const call = decodeProfileAction(running, profile, each.action);
    return { call, weight: Math.max(each.weight, 1), watchPort };
  });
  const size = groupSize(
    profile,
    calls.map(({ weight }) => weight),
  );
  if (profile.maxGroupSize > 0 && size > profile.maxGroupSize) {
    throw profileError(profile, `weights add up to ${size}, above ${profile.maxGroupSize}`);
  }
  const groupId = running.oneShots.install(control, calls);
  return {
    action: { kind: 'group', groupId },
    oneShot: { set, groupId },
    undo: () => running.oneShots.remove(control, groupId),
  };
}

function oneShotProfile(
  running: RunningPipeline,
  profile: ActionProfileInfo,
  set: p4.ActionProfileActionSet,
): ActionProfileControl {
  const control = running.control.actionProfiles.get(profile.name);
  if (control === undefined || !profile.withSelector) {
    throw profileError(profile, 'it has no selector, so it takes no one-shot actions');
  }
  if (set.actionProfileActions.length === 0) throw profileError(profile, 'a one-shot set is empty');
  const { RANDOM } = p4.ActionProfileActionSetActionSelectionMode;
  if (set.hasGroupAction || set.actionSelectionMode === RANDOM) {
    const reason = 'group actions and random selection are not supported';
    throw new RpcError('UNIMPLEMENTED', `action profile '${profile.name}': ${reason}`);
  }
  return control;
}

function profileError(profile: ActionProfileInfo, reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `action profile '${profile.name}': ${reason}`);
}

function invalid(table: TableInfo, reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `table '${table.name}': ${reason}`);
}
