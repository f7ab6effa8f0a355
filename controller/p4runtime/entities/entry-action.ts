import { unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { EntryAction, WeightedAction } from '../../entities/action';
import { canonicalAction, decodeAction, encodeAction } from './action';
import { checkedPort, decodePort, encodePort } from './wire-values';

/**
 * Encodes the action of an entry: an action of a direct table; a member, a group or a set of weighted
 * actions of an indirect one. @throws InputError naming the table.
 */
export function encodeEntryAction(table: TableInfo, action: EntryAction): p4.TableAction {
  requireForm(table, action);
  switch (action.kind) {
    case 'action':
      return new p4.TableAction({ action: encodeAction(table, action.action) });
    case 'member':
      return new p4.TableAction({ actionProfileMemberId: action.memberId });
    case 'group':
      return new p4.TableAction({ actionProfileGroupId: action.groupId });
    case 'one-shot': {
      const actionProfileActions = action.actions.map((each) => {
        const { weight, watchPort } = checkedShare(each, shareOf(table, each));
        return new p4.ActionProfileAction({
          action: encodeAction(table, each.action),
          weight,
          ...encodeWatchPort(watchPort),
        });
      });
      const set = new p4.ActionProfileActionSet({ actionProfileActions });
      return new p4.TableAction({ actionProfileActionSet: set });
    }
    default:
      return unreachable(action);
  }
}

/** The action in full names and the values that a switch returns. @throws InputError likewise. */
export function canonicalEntryAction(table: TableInfo, action: EntryAction): EntryAction {
  requireForm(table, action);
  switch (action.kind) {
    case 'action':
      return { kind: 'action', action: canonicalAction(table, action.action) };
    case 'member':
    case 'group':
      return action;
    case 'one-shot': {
      const actions = action.actions.map((each) => ({
        ...checkedShare(each, shareOf(table, each)),
        action: canonicalAction(table, each.action),
      }));
      return { kind: 'one-shot', actions };
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

/** Tables with a profile take no actions, and those without one nothing else. @throws InputError */
export function requireForm(table: TableInfo, { kind }: EntryAction): void {
  const indirect = table.actionProfileId !== undefined;
  if (indirect !== (kind === 'action')) return;
  const wanted = indirect ? 'a member, a group or a one-shot set' : 'an action';
  throw new InputError(`table '${table.name}': wanted ${wanted}, found ${kind}`);
}

const shareOf = (table: TableInfo, { action }: WeightedAction): string =>
  `table '${table.name}', action '${action.name}' of a one-shot set`;

/** Weights count from 1. @throws InputError beginning with `what`. */
export function checkedShare<
  Share extends { readonly weight: number; readonly watchPort?: number },
>(share: Share, what: string): Share {
  const { weight, watchPort } = share;
  if (!Number.isInteger(weight) || weight < 1 || weight >= 2 ** 31) {
    throw new InputError(`${what}: wanted a weight from 1, found ${weight}`);
  }
  if (watchPort !== undefined) checkedPort(watchPort, `${what}, watch port`);
  return share;
}

/** The field of a member that names the port it depends on, as constructors take it. */
export const encodeWatchPort = (
  watchPort: number | undefined,
): { readonly watchPort?: Uint8Array } =>
  watchPort === undefined ? {} : { watchPort: encodePort(watchPort) };

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
