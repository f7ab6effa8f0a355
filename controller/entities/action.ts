import type { Value } from './value';

/** An action and its arguments by name. */
export interface ActionByName {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Value>>;
}

export type EntryAction =
  | { readonly kind: 'action'; readonly action: ActionByName }
  | { readonly kind: 'member'; readonly memberId: number }
  | { readonly kind: 'group'; readonly groupId: number }
  /** A group written together with its entry, without numbers of its own. */
  | { readonly kind: 'one-shot'; readonly actions: readonly WeightedAction[] };

export interface WeightedAction {
  readonly action: ActionByName;
  readonly weight: number;
  /** While this port is down, the switch leaves the action out. */
  readonly watchPort?: number;
}
