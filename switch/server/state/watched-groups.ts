import type { ActionProfileControl, GroupMember } from '../../control/table-control';

/** A member of a group, with the port that must be up for packets to go to it. */
export interface WatchedMember extends GroupMember {
  /** As the controller wrote it; empty when no port matters. */
  readonly watchPort: Uint8Array;
}

interface Watched {
  readonly control: ActionProfileControl;
  readonly members: readonly WatchedMember[];
  /** What the switch was given of them. */
  readonly given: readonly GroupMember[];
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
    groups.set(groupId, { control, members, given: this.live(members) });
  }

  delete(profile: string, groupId: number): void {
    this.profiles.get(profile)?.delete(groupId);
  }

  /** The members of a group as they were written, here or by another server of the switch. */
  members({ name }: ActionProfileControl, group: GroupState): readonly WatchedMember[] {
    const watched = this.profiles.get(name)?.get(group.groupId);
    if (watched !== undefined && sameMembers(watched.given, group.members)) return watched.members;
    return group.members.map((member) => ({ ...member, watchPort: new Uint8Array() }));
  }

  /** The number of a group with this member, whether its port is up or not. */
  groupOf(control: ActionProfileControl, memberId: number): number | undefined {
    for (const group of control.groups()) {
      const members = this.members(control, group);
      if (members.some((each) => each.memberId === memberId)) return group.groupId;
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

type GroupState = Pick<
  ReturnType<ActionProfileControl['groups']> extends Iterable<infer T> ? T : never,
  'groupId' | 'members'
>;

/** Whether nobody else has written the group since. */
function isAsGiven({ control, given }: Watched, groupId: number): boolean {
  for (const group of control.groups()) {
    if (group.groupId === groupId) return sameMembers(given, group.members);
  }
  return false;
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
