import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { EntryKey } from '../../entities/match';
import type { DefaultEntry, EntryExtras, TableEntry } from '../../entities/table-entry';
import { canonicalAction, decodeAction, encodeAction } from './action';
import { sentObject, signed64, unsigned64 } from './wire-values';
import {
  decodeCounterData,
  decodeMeterConfig,
  decodeMeterCounters,
  encodeCounterData,
  encodeMeterConfig,
} from './array-cells';
import { canonicalEntryAction, decodeEntryAction, encodeEntryAction } from './entry-action';
import { canonicalMatch, decodeMatch, encodeMatch } from './match-field';

/** The message of a table entry. @throws InputError naming what does not fit the P4Info. */
export function encodeTableEntry(index: P4InfoIndex, entry: TableEntry): p4.TableEntry {
  const table = index.tables.get(entry.table);
  const message = encodeKey(table, entry);
  message.action = encodeEntryAction(table, entry.action);
  setExtras(table, entry, message);
  return message;
}

/** The entry in full names and the values that a switch returns. @throws InputError likewise. */
export function canonicalTableEntry(
  index: P4InfoIndex,
  { idleTimeoutNs = 0n, ...entry }: TableEntry,
): TableEntry {
  const table = index.tables.get(entry.table);
  checkIdleTimeout(table, idleTimeoutNs);
  return {
    ...entry,
    table: table.name,
    match: canonicalMatch(table, entry.match),
    priority: checkedPriority(table, entry.priority),
    action: canonicalEntryAction(table, entry.action),
    ...(idleTimeoutNs !== 0n && { idleTimeoutNs }),
  };
}

/** The message that only identifies an entry, as direct counters and meters want it. */
export function encodeEntryKey(index: P4InfoIndex, key: EntryKey): p4.TableEntry {
  return encodeKey(index.tables.get(key.table), key);
}

/** The message of a default entry. @throws InputError likewise. */
export function encodeDefaultEntry(index: P4InfoIndex, entry: DefaultEntry): p4.TableEntry {
  const table = index.tables.get(entry.table);
  const message = new p4.TableEntry({ tableId: table.id, isDefaultAction: true });
  if (entry.action !== undefined) {
    const action = encodeAction(table, entry.action, 'asDefault');
    message.action = new p4.TableAction({ action });
  }
  setExtras(table, entry, message);
  return message;
}

/** The default entry in full names and the values that a switch returns. @throws InputError likewise. */
export function canonicalDefaultEntry(index: P4InfoIndex, entry: DefaultEntry): DefaultEntry {
  const table = index.tables.get(entry.table);
  const action = entry.action && canonicalAction(table, entry.action, 'asDefault');
  return { ...entry, table: table.name, ...(action && { action }) };
}

/** An entry that a switch has sent. @throws InputError when P4Info lacks what it refers to. */
export function decodeTableEntry(
  index: P4InfoIndex,
  message: p4.TableEntry,
): TableEntry | DefaultEntry {
  const table = sentObject(index.tables, message.tableId);
  if (message.isDefaultAction) {
    return {
      kind: 'default-entry',
      table: table.name,
      ...(message.hasAction && { action: decodeAction(index, message.action.action) }),
      ...directData(message),
      ...(message.metadata.length > 0 && { metadata: message.metadata }),
    };
  }
  return {
    kind: 'table-entry',
    ...decodeKey(table, message),
    action: decodeEntryAction(index, table, message),
    ...decodeExtras(message),
  };
}

/** The key of an entry that a switch has sent. @throws InputError when P4Info lacks the table. */
export function decodeEntryKey(index: P4InfoIndex, message: p4.TableEntry): EntryKey {
  return decodeKey(sentObject(index.tables, message.tableId), message);
}

function encodeKey(table: TableInfo, { match, priority }: EntryKey): p4.TableEntry {
  checkedPriority(table, priority);
  return new p4.TableEntry({ tableId: table.id, match: encodeMatch(table, match), priority });
}

/** The priority that goes with a table's key. @throws InputError */
export function checkedPriority({ name, needsPriority }: TableInfo, priority: number): number {
  if (Number.isInteger(priority) && priority > 0 === needsPriority && priority >= 0)
    return priority;
  const wanted = needsPriority ? 'a priority above 0' : 'no priority';
  throw new InputError(`table '${name}': wanted ${wanted}, found ${priority}`);
}

function checkIdleTimeout({ name, idleTimeouts }: TableInfo, idleTimeoutNs: bigint): string {
  if (idleTimeoutNs > 0n && !idleTimeouts) {
    throw new InputError(`table '${name}': its entries have no idle timeout`);
  }
  return signed64(idleTimeoutNs, `table '${name}', idle timeout`);
}

function decodeKey(table: TableInfo, message: p4.TableEntry): EntryKey {
  const match = decodeMatch(table, message.match);
  return { table: table.name, match, priority: message.priority };
}

function setExtras(table: TableInfo, extras: EntryExtras, message: p4.TableEntry): void {
  const { idleTimeoutNs, counter, meter, metadata, controllerMetadata } = extras;
  const what = `table '${table.name}'`;
  if (idleTimeoutNs !== undefined) {
    message.idleTimeoutNs = checkIdleTimeout(table, idleTimeoutNs);
  }
  if (counter !== undefined) message.counterData = encodeCounterData(counter, `${what}, counter`);
  if (meter !== undefined) message.meterConfig = encodeMeterConfig(meter, `${what}, meter`);
  if (metadata !== undefined) message.metadata = metadata;
  if (controllerMetadata !== undefined) {
    message.controllerMetadata = unsigned64(controllerMetadata, `${what}, controller metadata`);
  }
}

function decodeExtras(message: p4.TableEntry): EntryExtras {
  const { idleTimeoutNs, controllerMetadata, metadata } = message;
  return {
    ...(idleTimeoutNs !== '0' && { idleTimeoutNs: BigInt(idleTimeoutNs) }),
    ...(message.hasTimeSinceLastHit && {
      idleForNs: BigInt(message.timeSinceLastHit.elapsedNs),
    }),
    ...directData(message),
    ...(metadata.length > 0 && { metadata }),
    ...(controllerMetadata !== '0' && { controllerMetadata: BigInt(controllerMetadata) }),
    ...(message.isConst && { isConst: true as const }),
  };
}

function directData(
  message: p4.TableEntry,
): Pick<EntryExtras, 'counter' | 'meter' | 'meterCounters'> {
  return {
    ...(message.hasCounterData && { counter: decodeCounterData(message.counterData) }),
    ...(message.hasMeterConfig && { meter: decodeMeterConfig(message.meterConfig) }),
    ...(message.hasMeterCounterData && {
      meterCounters: decodeMeterCounters(message.meterCounterData),
    }),
  };
}
