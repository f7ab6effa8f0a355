import type { EntryAction, GroupMember } from '../control/table-control';

/** Action of a table entry through an action profile. */
export type ProfileAction = Exclude<EntryAction, { readonly kind: 'call' }>;

/** Counts the uses of an action profile's members and groups, so that none is deleted in use. */
export class ProfileReferences {
  /** Number of table entries that refer to each member. */
  readonly #entriesOfMember = new Map<number, number>();
  /** The same for groups. */
  readonly #entriesOfGroup = new Map<number, number>();
  /** The groups that have each member. */
  readonly #groupsOfMember = new Map<number, Set<number>>();

  /** A table entry begins to do that. */
  retain(action: ProfileAction): void {
    const { counts, id } = this.#countsOf(action);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }

  /** A table entry does that no longer. */
  release(action: ProfileAction): void {
    const { counts, id } = this.#countsOf(action);
    const left = (counts.get(id) ?? 1) - 1;
    if (left === 0) counts.delete(id);
    else counts.set(id, left);
  }

  /** True if some table entry refers to it. */
  has(action: ProfileAction): boolean {
    const { counts, id } = this.#countsOf(action);
    return counts.has(id);
  }

  /** A group has other members than before. */
  regroup(groupId: number, before: readonly GroupMember[], now: readonly GroupMember[]): void {
    for (const { memberId } of before) {
      const groups = this.#groupsOfMember.get(memberId);
      groups?.delete(groupId);
      if (groups?.size === 0) this.#groupsOfMember.delete(memberId);
    }
    for (const { memberId } of now) {
      const groups = this.#groupsOfMember.get(memberId) ?? new Set<number>();
      this.#groupsOfMember.set(memberId, groups.add(groupId));
    }
  }

  groupsOf(memberId: number): ReadonlySet<number> {
    return this.#groupsOfMember.get(memberId) ?? NONE;
  }

  #countsOf(action: ProfileAction): { counts: Map<number, number>; id: number } {
    return action.kind === 'member'
      ? { counts: this.#entriesOfMember, id: action.memberId }
      : { counts: this.#entriesOfGroup, id: action.groupId };
  }
}

const NONE: ReadonlySet<number> = new Set();
