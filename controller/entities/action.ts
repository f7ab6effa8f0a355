import type { Value } from './value';

/** An action and its arguments by name. */
export interface ActionByName {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Value>>;
}

/** Action of an entry: an action itself, or a member or group of an action profile. */
export type EntryAction =
  | { readonly kind: 'action'; readonly action: ActionByName }
  | { readonly kind: 'member'; readonly memberId: number }
  | { readonly kind: 'group'; readonly groupId: number }
  /** A group written together with its entry, without numbers of its own. */
  | { readonly kind: 'one-shot'; readonly actions: readonly WeightedAction[] };

/** An action of a one-shot group and its share. */
export interface WeightedAction {
  readonly action: ActionByName;
  readonly weight: number;
  /** While this port is down, the switch leaves the action out. */
  readonly watchPort?: number;
}

/** An action of a profile under a number, which entries and groups refer to. */
export interface ActionProfileMember {
  readonly kind: 'member';
  readonly actionProfile: string;
  readonly memberId: number;
  readonly action: ActionByName;
}

/** Members of a profile among which the switch chooses by hash. */
export interface ActionProfileGroup {
  readonly kind: 'group';
  readonly actionProfile: string;
  readonly groupId: number;
  readonly members: readonly GroupMember[];
  /** Largest sum of weights, 0 to leave it to the switch. */
  readonly maxSize: number;
}

/** A member of a group and its share. */
export interface GroupMember {
  readonly memberId: number;
  readonly weight: number;
  /** While this port is down, the switch leaves the member out. */
  readonly watchPort?: number;
}
