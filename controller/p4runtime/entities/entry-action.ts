import { unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { EntryAction, WeightedAction } from '../../entities/action';
import { decodeAction, encodeAction } from './action';
import { decodePort, encodePort } from './wire-values';

/**
 * What an entry does: an action of a direct table; a member, a group or a set of weighted actions
 * of an indirect one. @throws InputError naming the table.
 */
export function encodeEntryAction(table: TableInfo, action: EntryAction): p4.TableAction {
  const indirect = table.actionProfileId !== undefined;
  if (indirect === (action.kind === 'action')) {
    const wanted = indirect ? 'a member, a group or a one-shot set' : 'an action';
    throw new InputError(`table '${table.name}': wanted ${wanted}, found ${action.kind}`);
  }
  switch (action.kind) {
    case 'action':
      return new p4.TableAction({ action: encodeAction(table, action.action) });
    case 'member':
      return new p4.TableAction({ actionProfileMemberId: action.memberId });
    case 'group':
      return new p4.TableAction({ actionProfileGroupId: action.groupId });
    case 'one-shot': {
      const actionProfileActions = action.actions.map((each) => encodeWeighted(table, each));
      const set = new p4.ActionProfileActionSet({ actionProfileActions });
      return new p4.TableAction({ actionProfileActionSet: set });
    }
    default:
      return unreachable(action);
  }
}

/** The action of an entry that a switch has sent. @throws InputError */
export function decodeEntryAction(
  index: P4InfoIndex,
  table: TableInfo,
  message: p4.TableEntry,
): EntryAction {
  const what = `from the switch: table '${table.name}'`;
  if (!message.hasAction) throw new InputError(`${what}: an entry without action`);
  const { action } = message;
  if (action.hasAction) return { kind: 'action', action: decodeAction(index, action.action) };
  if (action.hasActionProfileMemberId) {
    return { kind: 'member', memberId: action.actionProfileMemberId };
  }
  if (action.hasActionProfileGroupId) {
    return { kind: 'group', groupId: action.actionProfileGroupId };
  }
  if (!action.hasActionProfileActionSet) throw new InputError(`${what}: an entry without action`);
  const actions = action.actionProfileActionSet.actionProfileActions.map((each) => {
    const call = decodeAction(index, each.action);
    return { action: call, weight: each.weight, ...decodeWatchPort(each, what) };
  });
  return { kind: 'one-shot', actions };
}

function encodeWeighted(
  table: TableInfo,
  { action, weight, watchPort }: WeightedAction,
): p4.ActionProfileAction {
  const what = `table '${table.name}', action '${action.name}' of a one-shot set`;
  return new p4.ActionProfileAction({
    action: encodeAction(table, action),
    weight: checkedWeight(weight, what),
    ...encodeWatchPort(watchPort, `${what}, watch port`),
  });
}

/** Weights count from 1. @throws InputError beginning with `what`. */
export function checkedWeight(weight: number, what: string): number {
  if (Number.isInteger(weight) && weight >= 1 && weight < 2 ** 31) return weight;
  throw new InputError(`${what}: wanted a weight from 1, found ${weight}`);
}

/** The field of a member that names the port it depends on, as constructors take it. */
export function encodeWatchPort(
  watchPort: number | undefined,
  what: string,
): { readonly watchPort?: Uint8Array } {
  return watchPort === undefined ? {} : { watchPort: encodePort(watchPort, what) };
}

/** The port that a member depends on; the specification's older form is a plain number. */
export function decodeWatchPort(
  message: p4.ActionProfileAction | p4.ActionProfileGroupMember,
  what: string,
): { readonly watchPort?: number } {
  if (message.hasWatchPort && message.watchPort.length > 0) {
    return { watchPort: decodePort(message.watchPort, what) };
  }
  const older: { readonly hasWatch: boolean; readonly watch: number } = message;
  return older.hasWatch && older.watch !== 0 ? { watchPort: older.watch } : {};
}
