import { allOnes } from '../../../common/p4runtime/bytestring';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';

/**
 * The entity as bmv2 reads it: a value of no bytes is 0, and a range that is the whole field is as if it
 * were left out. Other entities than table entries and members stay as they are.
 */
export function asBmv2ReadsIt(info: P4InfoIndex, entity: p4.Entity): p4.Entity {
  const read = p4.Entity.deserialize(entity.serialize());
  if (read.hasTableEntry) readEntry(info.tables.byNumber(read.tableEntry.tableId), read.tableEntry);
  if (read.hasActionProfileMember) readAction(read.actionProfileMember.action);
  return read;
}

function readEntry(table: TableInfo | undefined, entry: p4.TableEntry): void {
  entry.match = entry.match.filter((match) => !isWholeRange(table, match));
  entry.match.forEach(readMatch);
  if (!entry.hasAction) return;
  if (entry.action.hasAction) readAction(entry.action.action);
  if (!entry.action.hasActionProfileActionSet) return;
  for (const { action } of entry.action.actionProfileActionSet.actionProfileActions) {
    readAction(action);
  }
}

function isWholeRange(table: TableInfo | undefined, match: p4.FieldMatch): boolean {
  const field = table?.matchFields.byNumber(match.fieldId);
  if (field === undefined || !match.hasRange) return false;
  const whole = allOnes(field.width);
  return number(match.range.low) === 0n && number(match.range.high) === whole;
}

function readMatch(match: p4.FieldMatch): void {
  if (match.hasExact) match.exact.value = orZero(match.exact.value);
  if (match.hasLpm) match.lpm.value = orZero(match.lpm.value);
  if (match.hasOptional) match.optional.value = orZero(match.optional.value);
  if (match.hasTernary) match.ternary.value = orZero(match.ternary.value);
  if (match.hasRange) match.range.low = orZero(match.range.low);
}

function readAction(action: p4.Action | undefined): void {
  for (const parameter of action?.params ?? []) parameter.value = orZero(parameter.value);
}

const orZero = (value: Uint8Array): Uint8Array => (value.length === 0 ? Uint8Array.of(0) : value);

const number = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
