import {
  ACTION,
  ENTITY,
  ENTRY,
  MATCH,
  MEMBER,
  PARAMETER,
  TABLE_ACTION,
  UPDATE,
} from '../../../common/p4runtime/field-numbers';
import { unreachable } from '../../../common/assert';
import { allOnes } from '../../../common/p4runtime/bytestring';
import { anyValue, keyFieldFault } from '../../../common/p4runtime/key-field';
import type { KeyField, MatchKind } from '../../../common/p4runtime/key-field';
import { wireFault } from '../../../common/p4runtime/match-codec';
import type {
  ActionProfileInfo,
  MatchFieldInfo,
  TableInfo,
} from '../../../common/p4runtime/p4info';
import { MessageError, MessageReader } from '../../../common/protobuf/message-reader';
import { StateError } from '../../control/table-control';
import type {
  ActionCall,
  ActionProfileControl,
  ActionSignature,
  EntryAction,
  TableControl,
} from '../../control/table-control';
import type { RunningPipeline } from '../state/running-pipeline';
import { directMeterOf } from './entry-resources';

/** Types of updates. */
const [INSERT, MODIFY, DELETE] = [1, 2, 3];

/** A parameter of an action, and what P4Info calls it. */
interface Parameter {
  readonly id: number;
  readonly width: number;
}

/** An action that entries of a table, or members, may call. */
interface PlainAction {
  /** Id that the switch has for it. */
  readonly id: number;
  readonly parameters: readonly Parameter[];
  /**
   * Values of the last call. PERF: equal ones are one object, as all members of a port have its address: what updates
   * leave behind costs more than what they do.
   */
  readonly last: bigint[];
}

/** A table that plain updates may write to. */
interface PlainTable {
  readonly info: TableInfo;
  readonly control: TableControl;
  readonly fields: readonly MatchFieldInfo[];
  readonly profile: ActionProfileInfo | undefined;
  readonly actions: ReadonlyMap<number, PlainAction>;
}

/** A profile that plain updates may write to. */
interface PlainProfile {
  readonly info: ActionProfileInfo;
  readonly control: ActionProfileControl;
  readonly actions: ReadonlyMap<number, PlainAction>;
}

/** Thrown for updates that are not plain. PERF: one for all. */
const NOT_PLAIN = new Error('an update that is to be read as a message');
const NOTHING = new MessageReader(new Uint8Array());

/**
 * Carries out updates of the kinds that nearly all are, straight from their bytes: entries with a key, a priority and an
 * action, and members. Whatever is unusual in one, and whatever is to be refused, is left to those who read it as a
 * message, who know the words for it.
 * PERF: a controller that loads a table writes hundreds of thousands a second; messages take twice as long.
 */
export class PlainUpdates {
  readonly #running: RunningPipeline;
  readonly #tables = new Map<number, PlainTable>();
  readonly #profiles = new Map<number, PlainProfile>();
  #reader = NOTHING;
  /** The action of the last entry with a member or group: one object serves all entries of a group. */
  #shared: EntryAction = { kind: 'member', memberId: 0 };

  private static readonly ofPipelines = new WeakMap<RunningPipeline, PlainUpdates>();

  /** Those of a program. */
  static of(running: RunningPipeline): PlainUpdates {
    const known = this.ofPipelines.get(running) ?? new PlainUpdates(running);
    this.ofPipelines.set(running, known);
    return known;
  }

  private constructor(running: RunningPipeline) {
    this.#running = running;
  }

  /**
   * Carries out the update at these bytes of a request.
   * @returns false for one that is not plain, or would be refused; then nothing has changed.
   */
  apply(reader: MessageReader, start: number, end: number): boolean {
    reader.seek(start, end);
    this.#reader = reader;
    try {
      this.#update();
      return true;
    } catch (error) {
      const isForOthers =
        error === NOT_PLAIN || error instanceof StateError || error instanceof MessageError;
      if (isForOthers) return false;
      throw error;
    } finally {
      this.#reader = NOTHING;
    }
  }

  #update(): void {
    const reader = this.#reader;
    this.#expect(UPDATE.type);
    const type = reader.readEnum();
    this.#expect(UPDATE.entity);
    const outside = reader.enter();
    if (!reader.nextField()) throw NOT_PLAIN;
    if (reader.field === ENTITY.tableEntry) this.#entry(type, outside);
    else if (reader.field === ENTITY.member) this.#member(type, outside);
    else throw NOT_PLAIN;
  }

  /** @param outside the end of the update. */
  #entry(type: number, outside: number): void {
    const reader = this.#reader;
    const entity = reader.enter();
    this.#expect(ENTRY.tableId);
    const table = this.#tableOf(reader.readUint32());
    const { fields, info } = table;
    const key = new Array<KeyField>(fields.length);
    let more = reader.nextField();
    for (; more && reader.field === ENTRY.match; more = reader.nextField())
      this.#match(fields, key);
    for (let i = 0; i < fields.length; i++) key[i] ??= absent(fields[i] as MatchFieldInfo);
    let action: EntryAction | undefined;
    if (more && reader.field === ENTRY.action) {
      action = this.#tableAction(table);
      more = reader.nextField();
    }
    let priority = 0;
    if (more && reader.field === ENTRY.priority) {
      priority = reader.readInt32();
      more = reader.nextField();
    }
    if (more || info.needsPriority !== priority > 0 || priority < 0) throw NOT_PLAIN;
    this.#endEntity(entity, outside);
    if (type === DELETE) table.control.delete(key, priority);
    else if (action === undefined) throw NOT_PLAIN;
    else if (type === INSERT) table.control.insert({ key, priority, action });
    else if (type === MODIFY) table.control.modify({ key, priority, action });
    else throw NOT_PLAIN;
  }

  #member(type: number, outside: number): void {
    const reader = this.#reader;
    const entity = reader.enter();
    this.#expect(MEMBER.profileId);
    const { info, control, actions } = this.#profileOf(reader.readUint32());
    this.#expect(MEMBER.memberId);
    const memberId = reader.readUint32();
    let more = reader.nextField();
    let call: ActionCall | undefined;
    if (more && reader.field === MEMBER.action) {
      call = this.#call(actions);
      more = reader.nextField();
    }
    if (more || memberId === 0 || this.#running.oneShots.uses(info.name)) throw NOT_PLAIN;
    this.#endEntity(entity, outside);
    if (type === DELETE) this.#deleteMember(control, memberId);
    else if (call === undefined) throw NOT_PLAIN;
    else if (type === INSERT) control.insertMember(memberId, call);
    else if (type === MODIFY) control.modifyMember(memberId, call);
    else throw NOT_PLAIN;
  }

  #deleteMember(control: ActionProfileControl, memberId: number): void {
    const isUsed = control.isUsed({ kind: 'member', memberId });
    if (isUsed || this.#running.watched.groupOf(control, memberId) !== undefined) throw NOT_PLAIN;
    control.deleteMember(memberId);
  }

  /** Nothing may follow what has been read of an entity. */
  #endEntity(entity: number, outside: number): void {
    const reader = this.#reader;
    reader.leave(entity);
    if (reader.nextField()) throw NOT_PLAIN;
    reader.leave(outside);
    if (reader.nextField()) throw NOT_PLAIN;
  }

  #match(fields: readonly MatchFieldInfo[], key: KeyField[]): void {
    const reader = this.#reader;
    const outside = reader.enter();
    this.#expect(MATCH.id);
    const place = placeOf(fields, reader.readUint32());
    const info = fields[place];
    if (info === undefined || key[place] !== undefined) throw NOT_PLAIN;
    this.#expect(MATCH[info.matchKind]);
    const field = this.#field(info);
    if ((wireFault(field, info.width) ?? keyFieldFault(field, info.width)) !== undefined)
      throw NOT_PLAIN;
    key[place] = field;
    this.#end(outside);
  }

  #field({ matchKind, width }: MatchFieldInfo): KeyField {
    const reader = this.#reader;
    const outside = reader.enter();
    const value = this.#value(1, width);
    const field = this.#fieldFrom(matchKind, value, width);
    this.#end(outside);
    return field;
  }

  /** @param value the first of the field, or the only one. */
  #fieldFrom(kind: MatchKind, value: bigint, width: number): KeyField {
    switch (kind) {
      case 'exact':
        return { kind: 'exact', value };
      case 'optional':
        return { kind: 'ternary', value, mask: allOnes(width) };
      case 'lpm':
        this.#expect(2);
        return { kind: 'lpm', value, prefixLength: this.#reader.readInt32() };
      case 'ternary':
        return { kind: 'ternary', value, mask: this.#value(2, width) };
      case 'range':
        return { kind: 'range', low: value, high: this.#value(2, width) };
      default:
        return unreachable(kind);
    }
  }

  #tableAction({ profile, actions }: PlainTable): EntryAction {
    const reader = this.#reader;
    const outside = reader.enter();
    if (!reader.nextField()) throw NOT_PLAIN;
    let action: EntryAction;
    if (reader.field === TABLE_ACTION.action && profile === undefined) {
      action = { kind: 'call', call: this.#call(actions) };
    } else if (profile === undefined || this.#running.oneShots.uses(profile.name)) throw NOT_PLAIN;
    else if (reader.field === TABLE_ACTION.memberId)
      action = this.#memberAction(reader.readUint32());
    else if (reader.field === TABLE_ACTION.groupId && profile.withSelector) {
      action = this.#groupAction(reader.readUint32());
    } else throw NOT_PLAIN;
    this.#end(outside);
    return action;
  }

  #memberAction(memberId: number): EntryAction {
    const known = this.#shared;
    if (known.kind === 'member' && known.memberId === memberId) return known;
    return (this.#shared = { kind: 'member', memberId });
  }

  #groupAction(groupId: number): EntryAction {
    const known = this.#shared;
    if (known.kind === 'group' && known.groupId === groupId) return known;
    return (this.#shared = { kind: 'group', groupId });
  }

  #call(actions: ReadonlyMap<number, PlainAction>): ActionCall {
    const reader = this.#reader;
    const outside = reader.enter();
    this.#expect(ACTION.id);
    const action = actions.get(reader.readUint32());
    if (action === undefined) throw NOT_PLAIN;
    const { parameters, last } = action;
    const values = new Array<bigint>(parameters.length);
    // Parameters come in the order in which P4Info has them; others are read as messages.
    for (let i = 0; i < values.length; i++) {
      const { id, width } = parameters[i] as Parameter;
      this.#expect(ACTION.parameters);
      const around = reader.enter();
      this.#expect(PARAMETER.id);
      if (reader.readUint32() !== id) throw NOT_PLAIN;
      const value = this.#value(PARAMETER.value, width);
      if (value !== last[i]) last[i] = value;
      values[i] = last[i] as bigint;
      this.#end(around);
    }
    this.#end(outside);
    return { actionId: action.id, arguments: values };
  }

  /** The value in the next field. */
  #value(field: number, width: number): bigint {
    this.#expect(field);
    const value = this.#reader.readBigEndian(width);
    if (value === undefined) throw NOT_PLAIN;
    return value;
  }

  #expect(field: number): void {
    if (!this.#reader.nextField() || this.#reader.field !== field) throw NOT_PLAIN;
  }

  /** Goes back to the message around, when nothing is left in this one. */
  #end(outside: number): void {
    if (this.#reader.nextField()) throw NOT_PLAIN;
    this.#reader.leave(outside);
  }

  #tableOf(id: number): PlainTable {
    let table = this.#tables.get(id);
    if (table === undefined) {
      table = plainTable(this.#running, id);
      // Ids that stand for none are not kept, of which a client may send any number.
      if (table !== undefined) this.#tables.set(id, table);
    }
    // What is noted about an entry, such as metadata, is no plain matter.
    if (table === undefined || this.#running.notes.has(table.info.name)) throw NOT_PLAIN;
    return table;
  }

  #profileOf(id: number): PlainProfile {
    let profile = this.#profiles.get(id);
    if (profile === undefined) {
      profile = plainProfile(this.#running, id);
      // Ids that stand for none are not kept, of which a client may send any number.
      if (profile !== undefined) this.#profiles.set(id, profile);
    }
    if (profile === undefined) throw NOT_PLAIN;
    return profile;
  }
}

/** A key field that was left out. */
function absent({ matchKind, width }: MatchFieldInfo): KeyField {
  const any = anyValue(matchKind, width);
  if (any === undefined) throw NOT_PLAIN;
  return any;
}

function placeOf(fields: readonly MatchFieldInfo[], id: number): number {
  for (let i = 0; i < fields.length; i++) if ((fields[i] as MatchFieldInfo).id === id) return i;
  return -1;
}

/** Undefined for a table whose entries are fixed, or have a meter, which each write of an entry sets. */
function plainTable({ info, control }: RunningPipeline, id: number): PlainTable | undefined {
  const table = info.tables.byNumber(id);
  const state = table && control.tables.get(table.name);
  if (table === undefined || state === undefined) return undefined;
  const fields = table.matchFields.all;
  if (table.isConst || fields.length === 0 || directMeterOf(info, table) !== undefined)
    return undefined;
  const listed = table.actions.all.filter(({ inEntries }) => inEntries);
  return {
    info: table,
    control: state,
    fields,
    profile: info.actionProfiles.byNumber(table.actionProfileId ?? 0),
    actions: plainActions(listed, (name) => control.tableAction(table.name, name)),
  };
}

function plainProfile({ info, control }: RunningPipeline, id: number): PlainProfile | undefined {
  const profile = info.actionProfiles.byNumber(id);
  const state = profile && control.actionProfiles.get(profile.name);
  const table = profile && info.tables.byNumber(profile.tableIds[0] ?? 0);
  if (profile === undefined || state === undefined || table === undefined) return undefined;
  const signatureOf = (name: string): ActionSignature | undefined =>
    control.profileAction(profile.name, name);
  return { info: profile, control: state, actions: plainActions(table.actions.all, signatureOf) };
}

/** Those that the switch knows, by the number that P4Info has for them. */
function plainActions(
  listed: TableInfo['actions']['all'],
  signatureOf: (name: string) => ActionSignature | undefined,
): ReadonlyMap<number, PlainAction> {
  const actions = new Map<number, PlainAction>();
  for (const { id, name, action } of listed) {
    const signature = signatureOf(name);
    if (signature !== undefined)
      actions.set(id, { id: signature.id, parameters: action.parameters.all, last: [] });
  }
  return actions;
}
