import { ProfileReferences } from './profile-references';
import type { ProfileAction } from './profile-references';
import { wordsOf } from '../../common/p4runtime/bytestring';
import type { Words } from '../../common/p4runtime/bytestring';
import { StateError } from '../control/table-control';
import type {
  ActionCall,
  ActionProfileControl,
  ActionSignature,
  EntryAction,
  GroupMember,
  ProfileGroup,
  ProfileMember,
  StateErrorCode,
} from '../control/table-control';

interface Member {
  readonly memberId: number;
  call: ActionCall;
}

interface Group {
  readonly groupId: number;
  members: readonly GroupMember[];
  readonly maxSize: number;
  /** Members in ascending order of their ids, each as often as its weight says. */
  shares: readonly Member[];
}

/** The calls among which the hash of a packet chooses, as long as the profile has that version. */
export interface Choice {
  readonly version: number;
  readonly calls: readonly ActionCall[];
  /** The same in the form of an executor, who has put them there. */
  readonly prepared: (object | undefined)[];
}

/** Properties of an action profile in the program. */
interface ActionProfileOptions {
  readonly name: string;
  /** Largest number of members. */
  readonly size: number;
  readonly withSelector: boolean;
  /** Actions that members may call, by id. */
  readonly actions: ReadonlyMap<number, ActionSignature>;
}

/**
 * Members (actions with arguments) that table entries share, and groups of members among which a
 * hash of the packet chooses.
 */
export class ActionProfile implements ActionProfileControl {
  readonly name: string;
  readonly size: number;
  readonly withSelector: boolean;
  #actions: ReadonlyMap<number, ActionSignature>;
  readonly #members = new Map<number, Member>();
  readonly #groups = new Map<number, Group>();
  readonly #references = new ProfileReferences();
  /** Choices by member and by group, valid until the next change. */
  readonly #choices = { member: new Map<number, Choice>(), group: new Map<number, Choice>() };
  #version = 0;
  /** PERF: made for errors only. */
  readonly #words = (): string => `action profile '${this.name}'`;

  constructor(options: ActionProfileOptions) {
    this.name = options.name;
    this.size = options.size;
    this.withSelector = options.withSelector;
    this.#actions = options.actions;
  }

  /** Goes on with all members and groups in a program where actions may have other numbers. */
  continueIn(actions: ReadonlyMap<number, ActionSignature>): void {
    this.#change();
    const numbers = renumbering(this.#actions, actions);
    this.#actions = actions;
    for (const member of this.#members.values()) member.call = renumber(member.call, numbers);
  }

  insertMember(memberId: number, call: ActionCall): void {
    this.#change();
    if (this.#members.has(memberId)) this.#fail('already-exists', `member ${memberId} exists`);
    if (this.#members.size >= this.size) this.#fail('exhausted', `${this.size} members are there`);
    checkCall(this.#words, this.#actions, call);
    this.#members.set(memberId, { memberId, call });
  }

  modifyMember(memberId: number, call: ActionCall): void {
    this.#change();
    const member = this.#member(memberId);
    checkCall(this.#words, this.#actions, call);
    member.call = call;
  }

  deleteMember(memberId: number): void {
    this.#change();
    this.#member(memberId);
    this.#checkUnused({ kind: 'member', memberId });
    for (const groupId of this.#references.groupsOf(memberId)) {
      this.#fail('invalid', `group ${groupId} uses member ${memberId}`);
    }
    this.#members.delete(memberId);
  }

  insertGroup(groupId: number, members: readonly GroupMember[], maxSize: number): void {
    this.#change();
    if (!this.withSelector) this.#fail('invalid', 'it has no selector, so it takes no groups');
    if (this.#groups.has(groupId)) this.#fail('already-exists', `group ${groupId} exists`);
    const shares = this.#shares(members, maxSize);
    this.#groups.set(groupId, { groupId, members: [...members], maxSize, shares });
    this.#references.regroup(groupId, [], members);
  }

  modifyGroup(groupId: number, members: readonly GroupMember[]): void {
    this.#change();
    const group = this.#group(groupId);
    group.shares = this.#shares(members, group.maxSize);
    this.#references.regroup(groupId, group.members, members);
    group.members = [...members];
  }

  deleteGroup(groupId: number): void {
    this.#change();
    const { members } = this.#group(groupId);
    this.#checkUnused({ kind: 'group', groupId });
    this.#references.regroup(groupId, members, []);
    this.#groups.delete(groupId);
  }

  members(): Iterable<ProfileMember> {
    return this.#members.values();
  }

  member(memberId: number): ProfileMember | undefined {
    return this.#members.get(memberId);
  }

  groups(): Iterable<ProfileGroup> {
    return this.#groups.values();
  }

  group(groupId: number): ProfileGroup | undefined {
    return this.#groups.get(groupId);
  }

  groupsOf(memberId: number): ReadonlySet<number> {
    return this.#references.groupsOf(memberId);
  }

  isUsed(action: EntryAction): boolean {
    return action.kind !== 'call' && this.#references.has(action);
  }

  /** Signature of an action that members may call. */
  action(name: string): ActionSignature | undefined {
    for (const action of this.#actions.values()) if (action.name === name) return action;
    return undefined;
  }

  /** Action call of a member; undefined when there is no such member. */
  memberCall(memberId: number): ActionCall | undefined {
    return this.#members.get(memberId)?.call;
  }

  /** Action call of a group for a packet with that hash; undefined when the group is empty. */
  groupCall(groupId: number, hash: number | bigint): ActionCall | undefined {
    const shares = this.#groups.get(groupId)?.shares;
    if (shares === undefined || shares.length === 0) return undefined;
    const { length } = shares;
    const share = typeof hash === 'number' ? hash % length : Number(hash % BigInt(length));
    return shares[share]?.call;
  }

  /**
   * Calls among which {@link memberCall} and {@link groupCall} choose, until {@link version}
   * changes. PERF: entries of one group share it, so that a fabric's routes need one place in the
   * processor's caches, not one each.
   */
  choiceOf(action: ProfileAction): Choice {
    const choices = this.#choices[action.kind];
    const id = action.kind === 'member' ? action.memberId : action.groupId;
    const known = choices.get(id);
    if (known !== undefined) return known;
    const calls =
      action.kind === 'member'
        ? [this.memberCall(action.memberId)].filter((call) => call !== undefined)
        : (this.#groups.get(action.groupId)?.shares ?? []).map(({ call }) => call);
    const choice = { version: this.#version, calls, prepared: calls.map(() => undefined) };
    choices.set(id, choice);
    return choice;
  }

  /** Changes with every change of a member or group. */
  get version(): number {
    return this.#version;
  }

  #change(): void {
    this.#version++;
    // PERF: clearing an empty map costs a new one.
    const { member, group } = this.#choices;
    if (member.size > 0) member.clear();
    if (group.size > 0) group.clear();
  }

  /** A table entry begins to use the member or group. @throws StateError when there is none. */
  retain(action: EntryAction): void {
    if (action.kind === 'call') return;
    if (action.kind === 'member') this.#member(action.memberId);
    else this.#group(action.groupId);
    this.#references.retain(action);
  }

  /** A table entry no longer uses the member or group. */
  release(action: EntryAction): void {
    if (action.kind !== 'call') this.#references.release(action);
  }

  #shares(members: readonly GroupMember[], maxSize: number): Member[] {
    const seen = new Set<number>();
    for (const { memberId, weight } of members) {
      this.#member(memberId);
      if (seen.has(memberId)) this.#fail('invalid', `member ${memberId} is listed twice`);
      seen.add(memberId);
      if (Number.isInteger(weight) && weight >= 1) continue;
      this.#fail('invalid', `member ${memberId} wants a weight of at least 1, found ${weight}`);
    }
    const total = members.reduce((sum, member) => sum + member.weight, 0);
    if (maxSize > 0 && total > maxSize) {
      this.#fail('exhausted', `the group takes ${maxSize} shares, found ${total}`);
    }
    return [...members]
      .sort((a, b) => a.memberId - b.memberId)
      .flatMap(({ memberId, weight }) => new Array<Member>(weight).fill(this.#member(memberId)));
  }

  #member(memberId: number): Member {
    const member = this.#members.get(memberId);
    return member ?? this.#fail('not-found', `it has no member ${memberId}`);
  }

  #group(groupId: number): Group {
    return this.#groups.get(groupId) ?? this.#fail('not-found', `it has no group ${groupId}`);
  }

  #checkUnused(action: ProfileAction): void {
    if (!this.#references.has(action)) return;
    const id = action.kind === 'member' ? action.memberId : action.groupId;
    this.#fail('invalid', `table entries use ${action.kind} ${id}`);
  }

  #fail(code: StateErrorCode, message: string): never {
    throw new StateError(code, `action profile '${this.name}': ${message}`);
  }
}

/**
 * Checks that an action is among those that are allowed here and that its arguments fit.
 * @throws StateError 'invalid' naming the action and what was wanted.
 */
export function checkCall(
  where: Words,
  allowed: ReadonlyMap<number, ActionSignature>,
  call: ActionCall,
): void {
  const action = allowed.get(call.actionId);
  if (action === undefined) {
    throw new StateError(
      'invalid',
      `${wordsOf(where)}: it has no action with the id ${call.actionId}`,
    );
  }
  const { name, parameters } = action;
  if (call.arguments.length !== parameters.length) {
    const found = call.arguments.length;
    const message = `${wordsOf(where)}: action '${name}' wants ${parameters.length} values, found ${found}`;
    throw new StateError('invalid', message);
  }
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i] as ActionSignature['parameters'][number];
    const value = call.arguments[i] ?? 0n;
    if (BigInt.asUintN(parameter.width, value) === value) continue;
    const wanted = `an unsigned number of ${parameter.width} bits`;
    const which = `parameter '${parameter.name}' of '${name}'`;
    const message = `${wordsOf(where)}: ${which} wants ${wanted}, found ${value.toString()}`;
    throw new StateError('invalid', message);
  }
}

type ActionNames = ReadonlyMap<number, { readonly name: string }>;

/** Numbers of actions in a new program by those of an old one, where both have the name. */
export function renumbering(old: ActionNames, next: ActionNames): ReadonlyMap<number, number> {
  const byName = new Map([...next].map(([id, { name }]) => [name, id]));
  return new Map([...old].map(([id, { name }]) => [id, byName.get(name) ?? id]));
}

/** The same call under the new number. Calls never change, so it is another object. */
export function renumber(call: ActionCall, numbers: ReadonlyMap<number, number>): ActionCall {
  const actionId = numbers.get(call.actionId) ?? call.actionId;
  return actionId === call.actionId ? call : { actionId, arguments: call.arguments };
}
