import type { ActionProfileControl, GroupMember, ProfileGroup } from '../../control/table-control';
import { ProfileReferences } from '../../tables/profile-references';

/** A member of a group, with the port that must be up for packets to go to it. */
export interface WatchedMember extends GroupMember {
  /** As the controller wrote it; empty when no port matters. */
  readonly watchPort: Uint8Array;
}

interface Watched {
  readonly control: ActionProfileControl;
  readonly members: readonly WatchedMember[];
  /** Members that were written to the switch: those whose ports are up. */
  readonly given: readonly GroupMember[];
}

/**
 * The groups of a program as they were written. The switch gets those members whose ports are up
 * (P4Runtime 1.5.0, section "Group Programming"); a group of which no port is up is empty, and what
 * an empty group does is the data plane's affair.
 */
export class WatchedGroups {
  private readonly profiles = new Map<string, Map<number, Watched>>();
  /** Groups that were written with each member, by profile. */
  private readonly written = new Map<string, ProfileReferences>();

  /** @param down the ports that are down, now and whenever it is read. */
  constructor(private readonly down: ReadonlySet<number>) {}

  /** Members whose ports are up. */
  live(members: readonly WatchedMember[]): GroupMember[] {
    return members
      .filter(({ watchPort }) => watchPort.length === 0 || !this.down.has(portNumber(watchPort)))
      .map(({ memberId, weight }) => ({ memberId, weight }));
  }

  set(control: ActionProfileControl, groupId: number, members: readonly WatchedMember[]): void {
    const groups = this.profiles.get(control.name) ?? new Map<number, Watched>();
    this.profiles.set(control.name, groups);
    this.regroup(control.name, groupId, members);
    groups.set(groupId, { control, members, given: this.live(members) });
  }

  delete(profile: string, groupId: number): void {
    this.regroup(profile, groupId, []);
    this.profiles.get(profile)?.delete(groupId);
  }

  private regroup(profile: string, groupId: number, members: readonly WatchedMember[]): void {
    const references = this.written.get(profile) ?? new ProfileReferences();
    this.written.set(profile, references);
    const before = this.profiles.get(profile)?.get(groupId)?.members ?? [];
    references.regroup(groupId, before, members);
  }

  /** The members of a group as they were written, here or by another server of the switch. */
  members({ name }: ActionProfileControl, group: ProfileGroup): readonly WatchedMember[] {
    const watched = this.profiles.get(name)?.get(group.groupId);
    if (watched !== undefined && sameMembers(watched.given, group.members)) return watched.members;
    return group.members.map((member) => ({ ...member, watchPort: new Uint8Array() }));
  }

  /** The number of a group with this member, whether its port is up or not. */
  groupOf(control: ActionProfileControl, memberId: number): number | undefined {
    const now = control.groupsOf(memberId);
    const written = this.written.get(control.name)?.groupsOf(memberId) ?? NONE;
    if (now.size === 0 && written.size === 0) return undefined;
    for (const groupId of new Set([...now, ...written])) {
      const group = control.group(groupId);
      const members = group === undefined ? [] : this.members(control, group);
      if (members.some((each) => each.memberId === memberId)) return groupId;
    }
    return undefined;
  }

  /** Ports have come up or gone down. */
  refresh(): void {
    for (const groups of this.profiles.values()) {
      for (const [groupId, watched] of groups) {
        const { control, members } = watched;
        if (members.every(({ watchPort }) => watchPort.length === 0)) continue;
        if (!isAsGiven(watched, groupId)) continue;
        control.modifyGroup(groupId, this.live(members));
        this.set(control, groupId, members);
      }
    }
  }
}

const NONE: ReadonlySet<number> = new Set();

/** True if nobody else has written the group since. */
function isAsGiven({ control, given }: Watched, groupId: number): boolean {
  const group = control.group(groupId);
  return group !== undefined && sameMembers(given, group.members);
}

function sameMembers(one: readonly GroupMember[], other: readonly GroupMember[]): boolean {
  const text = (members: readonly GroupMember[]): string =>
    members.map(({ memberId, weight }) => `${memberId}*${weight}`).join();
  return text(one) === text(other);
}

/** The port that a byte string names. */
export function portNumber(bytes: Uint8Array): number {
  return Number(`0x${Buffer.from(bytes).toString('hex')}`);
}
