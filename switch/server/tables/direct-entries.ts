import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { TableInfo } from '../../../common/p4runtime/p4info';
import type { EntryId, EntryResources } from '../../control/program-control';
import { decodeCount, encodeCount } from '../externs/counter-entries';
import type { RunningPipeline } from '../state/running-pipeline';
import { directCounterOf, directMeterOf, resourcesOf } from './entry-resources';
import { describeKey, encodeKey } from '../../../common/p4runtime/match-codec';
import {
  decodeMeterConfig,
  encodeMeterConfig,
  refuseColorCounters,
} from '../externs/meter-entries';
import { matchingEntries } from './read-table-entry';
import { chained, isEmpty } from '../turns/lazily';
import { requireModify, requirePart } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';
import { checkedPriority, keyOf, tableOf, tablesOf } from './addressed-table';
import type { Table } from './addressed-table';

/** Sets the counter of an entry (P4Runtime 1.5.0, section "DirectCounterEntry"). @throws RpcError */
export function writeDirectCounter(
  running: RunningPipeline,
  type: UpdateType,
  message: p4.DirectCounterEntry,
): void {
  const target = entryTable(running, message);
  const { table } = target;
  requireModify(type, `direct counter of table '${table.name}'`);
  if (directCounterOf(running.info, table) === undefined) throw lacks(table, 'counter');
  const { id, resources } = entryOf(running, target, message.tableEntry);
  if (!message.hasData) return;
  resources.setCount(id, decodeCount(message.data, `table '${table.name}'`));
}

/** Configures the meter of an entry (section "DirectMeterEntry"). @throws RpcError */
export function writeDirectMeter(
  running: RunningPipeline,
  type: UpdateType,
  message: p4.DirectMeterEntry,
): void {
  const target = entryTable(running, message);
  const { table } = target;
  requireModify(type, `direct meter of table '${table.name}'`);
  const meter = directMeterOf(running.info, table);
  if (meter === undefined) throw lacks(table, 'meter');
  refuseColorCounters(message);
  const { id, resources } = entryOf(running, target, message.tableEntry);
  const where = `table '${table.name}'`;
  const settings = message.hasConfig ? decodeMeterConfig(message.config, meter, where) : undefined;
  resources.configureMeter(id, settings);
}

/** The counters of one entry, of a table, or of all tables that have any. @throws RpcError */
export function readDirectCounters(
  running: RunningPipeline,
  filter: p4.DirectCounterEntry,
): Iterable<p4.DirectCounterEntry> {
  return readDirect(running, filter, (table) => {
    const counter = directCounterOf(running.info, table);
    if (counter === undefined) return undefined;
    const resources = requirePart(resourcesOf(running, table), 'direct counters');
    return (id, tableEntry) => {
      const data = encodeCount(resources.count(id), counter.unit);
      return new p4.DirectCounterEntry({ tableEntry, data });
    };
  });
}

/** The meters of one entry, of a table, or of all tables that have any. @throws RpcError */
export function readDirectMeters(
  running: RunningPipeline,
  filter: p4.DirectMeterEntry,
): Iterable<p4.DirectMeterEntry> {
  refuseColorCounters(filter);
  return readDirect(running, filter, (table) => {
    if (directMeterOf(running.info, table) === undefined) return undefined;
    const resources = requirePart(resourcesOf(running, table), 'direct meters');
    return (id, tableEntry) => {
      const settings = resources.meterSettings(id);
      const config = settings && encodeMeterConfig(settings);
      return new p4.DirectMeterEntry(config ? { tableEntry, config } : { tableEntry });
    };
  });
}

type DirectMessage = { readonly hasTableEntry: boolean; readonly tableEntry: p4.TableEntry };
type Encode<T> = (id: EntryId, tableEntry: p4.TableEntry) => T;

/** @param encoderOf undefined for a table without such a resource. */
function readDirect<T>(
  running: RunningPipeline,
  filter: DirectMessage,
  encoderOf: (table: TableInfo) => Encode<T> | undefined,
): Iterable<T> {
  const wanted = filter.hasTableEntry ? filter.tableEntry : new p4.TableEntry({});
  if (wanted.isDefaultAction) throw noDefault();
  const parts = tablesOf(running, wanted.tableId).map((target): Iterable<T> => {
    const encode = encoderOf(target.table);
    if (encode === undefined && wanted.tableId === 0) return [];
    if (encode === undefined) throw lacks(target.table, 'counter or meter');
    const entries = matchingEntries(target, wanted);
    if (wanted.match.length > 0 && isEmpty(entries)) throw missing(target.table, wanted);
    return encoded(target, matchingEntries(target, wanted), encode);
  });
  return chained(parts);
}

/** Entries that are deleted before their turn comes are left out. */
function* encoded<T>(
  { table, control }: Table,
  entries: Iterable<EntryId>,
  encode: Encode<T>,
): Iterable<T> {
  for (const id of entries) {
    if (control.find(id.key, id.priority) !== undefined) yield encode(id, keyMessage(table, id));
  }
}

function entryTable(running: RunningPipeline, message: DirectMessage): Table {
  if (!message.hasTableEntry) throw invalid('a direct resource wants a table entry');
  return tableOf(running, message.tableEntry.tableId);
}

function entryOf(
  running: RunningPipeline,
  { table, control }: Table,
  message: p4.TableEntry,
): { id: EntryId; resources: EntryResources } {
  if (message.isDefaultAction) throw noDefault();
  const key = keyOf(table, message.match);
  const id = { key, priority: checkedPriority(table, message.priority) };
  if (control.find(key, id.priority) === undefined) throw missing(table, message);
  return { id, resources: requirePart(resourcesOf(running, table), 'direct resources') };
}

function keyMessage(table: TableInfo, { key, priority }: EntryId): p4.TableEntry {
  return new p4.TableEntry({
    tableId: table.id,
    match: encodeKey(table, key),
    priority: table.needsPriority ? priority : 0,
  });
}

function missing(table: TableInfo, message: p4.TableEntry): RpcError {
  const text = describeKey(table, keyOf(table, message.match));
  return new RpcError('NOT_FOUND', `table '${table.name}', entry ${text} does not exist`);
}

function lacks(table: TableInfo, what: string): RpcError {
  return invalid(`table '${table.name}' has no direct ${what}`);
}

function noDefault(): RpcError {
  const reason = 'the default entry has no direct counter and meter here';
  return new RpcError('UNIMPLEMENTED', reason);
}

function invalid(reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', reason);
}
