import { RpcError } from '../../../common/p4runtime/codes';
import type { ActionCall, ActionProfileControl } from '../../control/table-control';
import { isEmpty } from '../turns/lazily';
import type { WatchedGroups } from './watched-groups';

/** A weighted action of a one-shot group. */
export interface WeightedCall {
  readonly call: ActionCall;
  readonly weight: number;
  /** The port that must be up for packets to take the action; empty when none matters. */
  readonly watchPort: Uint8Array;
}

/**
 * Groups that the server makes for entries written in one shot (P4Runtime 1.5.0, section "One Shot
 * Action Selector Programming"). A profile is used either this way or with members and groups of
 * the controller, so the server numbers its own from 1 without meeting the controller's.
 */
export class OneShots {
  /** Members of each group that the server made, by profile and group. */
  private readonly groups = new Map<string, Map<number, readonly number[]>>();
  private lastId = 0;

  constructor(private readonly watched: WatchedGroups) {}

  /** True if entries use this profile in one shot; its members and groups are then not visible. */
  uses(profile: string): boolean {
    return (this.groups.get(profile)?.size ?? 0) > 0;
  }

  /** @throws RpcError INVALID_ARGUMENT when entries use the profile in one shot. */
  refuseManual(profile: string): void {
    if (!this.uses(profile)) return;
    const reason = 'its entries are written in one shot, so it takes no members or groups';
    throw new RpcError('INVALID_ARGUMENT', `action profile '${profile}': ${reason}`);
  }

  /**
   * Makes a group of one member per action.
   * @returns the number of the group.
   * @throws RpcError or StateError; then nothing has been made.
   */
  install(profile: ActionProfileControl, calls: readonly WeightedCall[]): number {
    this.refuseOneShot(profile);
    const made: number[] = [];
    try {
      for (const { call } of calls) {
        profile.insertMember(this.lastId + 1, call);
        made.push(++this.lastId);
      }
      const groupId = ++this.lastId;
      const members = calls.map(({ weight, watchPort }, i) => {
        return { memberId: made[i] ?? 0, weight, watchPort };
      });
      profile.insertGroup(groupId, this.watched.live(members), 0);
      this.watched.set(profile, groupId, members);
      this.groupsOf(profile.name).set(groupId, made);
      return groupId;
    } catch (error) {
      for (const memberId of made) profile.deleteMember(memberId);
      throw error;
    }
  }

  /** Removes a group that {@link install} made and that no entry uses any more. */
  remove(profile: ActionProfileControl, groupId: number): void {
    const groups = this.groupsOf(profile.name);
    profile.deleteGroup(groupId);
    this.watched.delete(profile.name, groupId);
    for (const memberId of groups.get(groupId) ?? []) profile.deleteMember(memberId);
    groups.delete(groupId);
  }

  private refuseOneShot(profile: ActionProfileControl): void {
    if (this.uses(profile.name) || isEmpty(profile.members())) return;
    const reason = 'it has members of the controller, so its entries cannot be written in one shot';
    throw new RpcError('INVALID_ARGUMENT', `action profile '${profile.name}': ${reason}`);
  }

  private groupsOf(profile: string): Map<number, readonly number[]> {
    const groups = this.groups.get(profile) ?? new Map<number, readonly number[]>();
    this.groups.set(profile, groups);
    return groups;
  }
}
