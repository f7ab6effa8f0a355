/**
 * P4Runtime entities by name, as a person thinks of them. The intent produces them, the P4Runtime
 * client resolves them through the P4Info of the program.
 */

/** A number, or text: decimal, 0x…, an IPv4 or IPv6 address, a MAC address. */
export type Value = string | number | bigint;

/** What one key field matches. A field that does not matter is left out. */
export type FieldMatch =
  | { readonly exact: Value }
  /** Value and prefix length. */
  | { readonly lpm: readonly [Value, number] }
  /** Value and mask. */
  | { readonly ternary: readonly [Value, Value] }
  /** Low and high end, both included. */
  | { readonly range: readonly [Value, Value] }
  | { readonly optional: Value };

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
}

export interface TableEntry {
  readonly kind: 'table-entry';
  readonly table: string;
  /** Matches by field name. */
  readonly match: Readonly<Record<string, FieldMatch>>;
  /** Above 0 exactly where the table has ternary, range or optional fields; larger wins. */
  readonly priority: number;
  readonly action: EntryAction;
}

/** What a table does on a miss; without an action, what the program says. */
export interface DefaultEntry {
  readonly kind: 'default-entry';
  readonly table: string;
  readonly action?: ActionByName;
}

export interface ActionProfileMember {
  readonly kind: 'member';
  readonly actionProfile: string;
  readonly memberId: number;
  readonly action: ActionByName;
}

export interface ActionProfileGroup {
  readonly kind: 'group';
  readonly actionProfile: string;
  readonly groupId: number;
  readonly members: readonly { readonly memberId: number; readonly weight: number }[];
  /** Largest sum of weights, 0 to leave it to the switch. */
  readonly maxSize: number;
}

export type NamedEntity = TableEntry | DefaultEntry | ActionProfileMember | ActionProfileGroup;

export type UpdateType = 'insert' | 'modify' | 'delete';

export interface EntityUpdate {
  readonly type: UpdateType;
  readonly entity: NamedEntity;
}
