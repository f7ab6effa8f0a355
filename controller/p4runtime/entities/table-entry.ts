import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { EntryKey } from '../../entities/match';
import type { DefaultEntry, EntryExtras, TableEntry } from '../../entities/table-entry';
import { decodeAction, encodeAction } from './action';
import { sentObject, signed64, unsigned64 } from './wire-values';
import {
  decodeCounterData,
  decodeMeterConfig,
  decodeMeterCounters,
  encodeCounterData,
  encodeMeterConfig,
} from './direct-data';
import { decodeEntryAction, encodeEntryAction } from './entry-action';
import { decodeMatch, encodeMatch } from './match-field';

/** The message of a table entry. @throws InputError naming what does not fit the P4Info. */
export function encodeTableEntry(index: P4InfoIndex, entry: TableEntry): p4.TableEntry {
  const table = index.tables.get(entry.table);
  const message = encodeKey(table, entry);
  message.action = encodeEntryAction(table, entry.action);
  setExtras(table, entry, message);
  return message;
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
  if (!Number.isInteger(priority) || priority > 0 !== table.needsPriority || priority < 0) {
    const wanted = table.needsPriority ? 'a priority above 0' : 'no priority';
    throw new InputError(`table '${table.name}': wanted ${wanted}, found ${priority}`);
  }
  return new p4.TableEntry({ tableId: table.id, match: encodeMatch(table, match), priority });
}

function decodeKey(table: TableInfo, message: p4.TableEntry): EntryKey {
  const match = decodeMatch(table, message.match);
  return { table: table.name, match, priority: message.priority };
}

function setExtras(table: TableInfo, extras: EntryExtras, message: p4.TableEntry): void {
  const { idleTimeoutNs, counter, meter, metadata, controllerMetadata } = extras;
  const what = `table '${table.name}'`;
  if (idleTimeoutNs !== undefined) {
    if (idleTimeoutNs > 0n && !table.idleTimeouts) {
      throw new InputError(`${what}: its entries have no idle timeout`);
    }
    message.idleTimeoutNs = signed64(idleTimeoutNs, `${what}, idle timeout`);
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
