import type { ActionProfileControl, GroupMember } from '../tables/types';

/** A member of a group, with the port that must be up for packets to go to it. */
export interface WatchedMember extends GroupMember {
  /** As the controller wrote it; empty when no port matters. */
  readonly watchPort: Uint8Array;
}

interface Watched {
  readonly control: ActionProfileControl;
  readonly members: readonly WatchedMember[];
}

/**
 * The groups of a program as they were written. The switch gets those members whose ports are up
 * (P4Runtime 1.5.0, section "Group Programming"); a group of which no port is up is empty, and what
 * an empty group does is the data plane's affair.
 */
export class WatchedGroups {
  private readonly profiles = new Map<string, Map<number, Watched>>();

  /** @param down the ports that are down, now and whenever it is read. */
  constructor(private readonly down: ReadonlySet<number>) {}

  /** What the switch gets of these members. */
  live(members: readonly WatchedMember[]): GroupMember[] {
    return members
      .filter(({ watchPort }) => watchPort.length === 0 || !this.down.has(portNumber(watchPort)))
      .map(({ memberId, weight }) => ({ memberId, weight }));
  }

  set(control: ActionProfileControl, groupId: number, members: readonly WatchedMember[]): void {
    const groups = this.profiles.get(control.name) ?? new Map<number, Watched>();
    this.profiles.set(control.name, groups);
    groups.set(groupId, { control, members });
  }

  delete(profile: string, groupId: number): void {
    this.profiles.get(profile)?.delete(groupId);
  }

  /** The members of a group as they were written. */
  members(profile: string, groupId: number): readonly WatchedMember[] {
    return this.profiles.get(profile)?.get(groupId)?.members ?? [];
  }

  /** The number of a group with this member, whether its port is up or not. */
  groupOf(profile: string, memberId: number): number | undefined {
    for (const [groupId, { members }] of this.profiles.get(profile) ?? []) {
      if (members.some((each) => each.memberId === memberId)) return groupId;
    }
    return undefined;
  }

  /** Ports have come up or gone down. */
  refresh(): void {
    for (const groups of this.profiles.values()) {
      for (const [groupId, { control, members }] of groups) {
        if (members.every(({ watchPort }) => watchPort.length === 0)) continue;
        control.modifyGroup(groupId, this.live(members));
      }
    }
  }
}

/** The port that a byte string names. */
export function portNumber(bytes: Uint8Array): number {
  return Number(`0x${Buffer.from(bytes).toString('hex')}`);
}
