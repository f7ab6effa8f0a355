import { unreachable } from '../../../common/assert';
import { allOnes, encodeValue } from '../../../common/p4runtime/bytestring';
import {
  ACTION,
  ENTITY,
  ENTRY,
  MATCH,
  MEMBER,
  PARAMETER,
  TABLE_ACTION,
} from '../../../common/p4runtime/field-numbers';
import { isAnyValue } from '../../../common/p4runtime/key-field';
import type { KeyField } from '../../../common/p4runtime/key-field';
import type {
  FieldInfo,
  MatchFieldInfo,
  P4InfoIndex,
  TableInfo,
} from '../../../common/p4runtime/p4info';
import type { MessageWriter } from '../../../common/protobuf/message-writer';
import type { ActionByName, ActionProfileMember, EntryAction } from '../../entities/action';
import type { NamedEntity } from '../../entities/named-entity';
import type { TableEntry } from '../../entities/table-entry';
import { readAction, tableOfProfile } from './action';
import { encodeEntity } from './entity';
import { encodeEntryAction, requireForm } from './entry-action';
import { readKey } from './match-field';
import { checkedPriority } from './table-entry';

/**
 * Writes the message of an entity: the same bytes as `encodeEntity` gives.
 * PERF: entries and members, of which controllers load hundreds of thousands, are written without objects of messages.
 * @throws InputError naming what does not fit the P4Info, when a part of it may be written.
 */
export function writeEntity(writer: MessageWriter, index: P4InfoIndex, entity: NamedEntity): void {
  if (entity.kind === 'member') writeMember(writer, index, entity);
  else if (entity.kind === 'table-entry' && isPlain(entity)) writeEntry(writer, index, entity);
  else encodeEntity(index, entity).serialize(writer);
}

/** True without the properties that only the message has. PERF: reading them by their names in a list takes longer. */
const isPlain = (entry: TableEntry): boolean =>
  entry.idleTimeoutNs === undefined &&
  entry.counter === undefined &&
  entry.meter === undefined &&
  entry.metadata === undefined &&
  entry.controllerMetadata === undefined;

function writeMember(
  writer: MessageWriter,
  index: P4InfoIndex,
  { actionProfile, memberId, action }: ActionProfileMember,
): void {
  const start = writer.begin(ENTITY.member);
  writeNumber(writer, MEMBER.profileId, index.actionProfiles.get(actionProfile).id);
  writeNumber(writer, MEMBER.memberId, memberId);
  writeAction(writer, MEMBER.action, tableOfProfile(index, actionProfile), action);
  writer.end(start);
}

function writeEntry(writer: MessageWriter, index: P4InfoIndex, entry: TableEntry): void {
  const table = index.tables.get(entry.table);
  const priority = checkedPriority(table, entry.priority);
  const start = writer.begin(ENTITY.tableEntry);
  writeNumber(writer, ENTRY.tableId, table.id);
  const key = readKey(table, entry.match);
  const fields = table.matchFields.all;
  for (let i = 0; i < fields.length; i++) {
    writeMatch(writer, fields[i] as MatchFieldInfo, key[i] as KeyField);
  }
  writeEntryAction(writer, table, entry.action);
  if (priority !== 0) writer.writeInt32(ENTRY.priority, priority);
  writer.end(start);
}

/** PERF: as the messages have it, zero is left out. */
function writeNumber(writer: MessageWriter, field: number, value: number): void {
  if (value !== 0) writer.writeUint32(field, value);
}

function writeMatch(writer: MessageWriter, info: MatchFieldInfo, field: KeyField): void {
  const { id, matchKind, width } = info;
  if (isAnyValue(field, width)) return;
  const match = writer.begin(ENTRY.match);
  writeNumber(writer, MATCH.id, id);
  const start = writer.begin(MATCH[matchKind]);
  switch (field.kind) {
    case 'exact':
      writeValue(writer, 1, field.value);
      break;
    case 'lpm':
      writeValue(writer, 1, field.value);
      if (field.prefixLength !== 0) writer.writeInt32(2, field.prefixLength);
      break;
    case 'ternary':
      writeValue(writer, 1, field.value);
      if (matchKind === 'ternary') writeValue(writer, 2, field.mask);
      break;
    case 'range':
      writeValue(writer, 1, field.low);
      writeValue(writer, 2, field.high);
      break;
    default:
      unreachable(field);
  }
  writer.end(start);
  writer.end(match);
}

function writeEntryAction(writer: MessageWriter, table: TableInfo, action: EntryAction): void {
  requireForm(table, action);
  const start = writer.begin(ENTRY.action);
  // Members and groups are of a choice of fields, where zero is written.
  if (action.kind === 'member') writer.writeUint32(TABLE_ACTION.memberId, action.memberId);
  else if (action.kind === 'group') writer.writeUint32(TABLE_ACTION.groupId, action.groupId);
  else if (action.kind === 'action') writeAction(writer, TABLE_ACTION.action, table, action.action);
  else encodeEntryAction(table, action).serialize(writer);
  writer.end(start);
}

function writeAction(
  writer: MessageWriter,
  field: number,
  table: TableInfo,
  action: ActionByName,
): void {
  const { info, values } = readAction(table, action);
  const parameters = info.parameters.all;
  const start = writer.begin(field);
  writeNumber(writer, ACTION.id, info.id);
  for (let i = 0; i < parameters.length; i++) {
    const parameter = writer.begin(ACTION.parameters);
    writeNumber(writer, PARAMETER.id, (parameters[i] as FieldInfo).id);
    writeValue(writer, PARAMETER.value, values[i] as bigint);
    writer.end(parameter);
  }
  writer.end(start);
}

const LONG_MAX = allOnes(64);

function writeValue(writer: MessageWriter, field: number, value: bigint): void {
  if (value <= LONG_MAX) writer.writeBigEndian(field, value);
  else writer.writeBytes(field, encodeValue(value));
}
