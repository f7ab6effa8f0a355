import type { KeyField, MatchKind } from '../../common/p4runtime/key-field';

/**
 * The state that a P4 pipeline and its control plane share. Values are unsigned integers in bigint;
 * names are those of the compiled program. A write becomes visible between two packets, never
 * inside one, because both sides are synchronous.
 */

/** A call of a P4 action with its runtime data, in the order of the action's parameters. */
export interface ActionCall {
  /** Id of the action in the BMv2 JSON (one per table, so it also says which copy). */
  readonly actionId: number;
  readonly arguments: readonly bigint[];
}

/** Action of a table entry: a call, or a member or group of an action profile. */
export type EntryAction =
  | { readonly kind: 'call'; readonly call: ActionCall }
  | { readonly kind: 'member'; readonly memberId: number }
  | { readonly kind: 'group'; readonly groupId: number };

/** Never changes: modifying an entry makes another. */
export interface TableEntry {
  readonly key: readonly KeyField[];
  /** P4Runtime's sense: the larger number wins. 0 in tables of exact and lpm keys only. */
  readonly priority: number;
  readonly action: EntryAction;
}

/**
 * Result of looking up a handle of bmv2's Thrift interface: an entry, or the reason why there is
 * none.
 */
export type HandledEntry = TableEntry | 'unknown' | 'expired';

export type StateErrorCode =
  | 'already-exists'
  | 'not-found'
  | 'exhausted'
  | 'invalid'
  | 'permission-denied';

/** A refused write to a table or action profile; nothing was changed. */
export class StateError extends Error {
  override readonly name = 'StateError';
  constructor(
    readonly code: StateErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Direct resources of a table's entries: counter, meter and timeout. */
export interface DirectResources {
  readonly counter: boolean;
  readonly meter: boolean;
  readonly timeToLive: boolean;
}

/** Control-plane face of a match-action table. Every method throws {@link StateError}. */
export interface TableControl {
  readonly name: string;
  readonly matchKinds: readonly MatchKind[];
  /** Widths of the key fields in bits. */
  readonly keyWidths: readonly number[];
  /** Name of the action profile behind an indirect table. */
  readonly actionProfile: string | undefined;
  /** Most entries that it can hold. */
  readonly size: number;
  /** Number of entries. */
  readonly entryCount: number;
  /** Direct resources of each entry. */
  readonly direct: DirectResources;
  /** True if the program itself fills the table and nobody else may write to it. */
  readonly isFixed: boolean;
  /**
   * Declares that the program's entries are only initial, so that the table takes writes. The
   * compiled program does not distinguish such tables from fixed ones; P4Info does.
   */
  openForWrites(size: number): void;
  insert(entry: TableEntry): void;
  modify(entry: TableEntry): void;
  delete(key: readonly KeyField[], priority: number): void;
  /** Deletes all entries; handles begin anew. */
  clear(): void;
  /** Sets the action of a miss. Refused for indirect tables and constant default actions. */
  setDefault(call: ActionCall): void;
  /** Makes a member of an indirect table's profile what a miss does. */
  setDefaultMember(memberId: number): void;
  readonly defaultMember: number | undefined;
  /** Restores the default action that the program declares. */
  resetDefault(): void;
  readonly defaultAction: ActionCall | undefined;
  /** Entries in order of insertion. */
  entries(): Iterable<TableEntry>;
  /** The entries as they are now, which later writes leave as they are. */
  snapshot(): Iterable<TableEntry>;
  find(key: readonly KeyField[], priority: number): TableEntry | undefined;
  handleOf(key: readonly KeyField[], priority: number): number | undefined;
  byHandle(handle: number): HandledEntry;
}

export interface GroupMember {
  readonly memberId: number;
  /** Weight, at least 1: shares of the traffic that the member takes. */
  readonly weight: number;
}

/** A member of an action profile, as it is now. */
export interface ProfileMember {
  readonly memberId: number;
  readonly call: ActionCall;
}

/** A group of an action selector, as it is now. */
export interface ProfileGroup {
  readonly groupId: number;
  readonly members: readonly GroupMember[];
  /** Weights add up to at most so much; 0 for any. */
  readonly maxSize: number;
}

/** Control-plane face of an action profile or selector. Every method throws {@link StateError}. */
export interface ActionProfileControl {
  readonly name: string;
  readonly withSelector: boolean;
  readonly size: number;
  insertMember(memberId: number, call: ActionCall): void;
  modifyMember(memberId: number, call: ActionCall): void;
  deleteMember(memberId: number): void;
  insertGroup(groupId: number, members: readonly GroupMember[], maxSize: number): void;
  modifyGroup(groupId: number, members: readonly GroupMember[]): void;
  deleteGroup(groupId: number): void;
  members(): Iterable<ProfileMember>;
  member(memberId: number): ProfileMember | undefined;
  groups(): Iterable<ProfileGroup>;
  group(groupId: number): ProfileGroup | undefined;
  /** Numbers of the groups that have the member. */
  groupsOf(memberId: number): ReadonlySet<number>;
  /** True if a table entry or a default action refers to that member or group. */
  isUsed(action: EntryAction): boolean;
}

/** An action as the control plane needs it. */
export interface ActionSignature {
  readonly id: number;
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly width: number }[];
}

/** The control-plane face of a loaded program: what a P4Runtime server writes to and reads from. */
export interface PipelineControl {
  readonly tables: ReadonlyMap<string, TableControl>;
  readonly actionProfiles: ReadonlyMap<string, ActionProfileControl>;
  /** The action of that name as `table` knows it, or undefined when the table does not list it. */
  tableAction(table: string, action: string): ActionSignature | undefined;
  /** The action of that name as members of `profile` know it. */
  profileAction(profile: string, action: string): ActionSignature | undefined;
  /** Name and parameters of an action by its id in the BMv2 JSON. */
  action(id: number): ActionSignature | undefined;
}

/** Switch interface that the P4Runtime server requires. */
export interface SwitchControl {
  /** The running program, or undefined before the first pipeline configuration. */
  readonly pipeline: PipelineControl | undefined;
  /** Checks a BMv2 JSON text without touching the running program. Throws InputError. */
  verifyProgram(json: string): void;
  /** Replaces the program and clears all state. Throws InputError; then nothing has changed. */
  loadProgram(json: string): void;
  /**
   * Replaces the program and keeps all state, between two packets. False when the new program has no
   * place for some of it, or none runs; then nothing has changed. Throws InputError likewise.
   */
  replaceProgram?(json: string): boolean;
}
