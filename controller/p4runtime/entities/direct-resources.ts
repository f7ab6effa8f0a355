import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { DirectCounter, DirectMeter } from '../../entities/stateful-elements';
import {
  decodeCounterData,
  encodeCounterData,
  decodeMeterConfig,
  decodeMeterCounters,
  encodeMeterConfig,
} from './direct-data';
import { decodeEntryKey, encodeEntryKey } from './table-entry';

/** The message of the counter of a table entry. @throws InputError naming the table. */
export function encodeDirectCounter(
  index: P4InfoIndex,
  entity: DirectCounter,
): p4.DirectCounterEntry {
  const table = index.tables.get(entity.table);
  requireResource(index.directCounters, table);
  const message = new p4.DirectCounterEntry({ tableEntry: encodeEntryKey(index, entity) });
  if (entity.data !== undefined) {
    message.data = encodeCounterData(entity.data, `table '${table.name}', counter`);
  }
  return message;
}

/** A direct counter that a switch has sent. @throws InputError when P4Info lacks its table. */
export function decodeDirectCounter(
  index: P4InfoIndex,
  message: p4.DirectCounterEntry,
): DirectCounter {
  return {
    kind: 'direct-counter',
    ...decodeEntryKey(index, message.tableEntry),
    ...(message.hasData && { data: decodeCounterData(message.data) }),
  };
}

/** The message of the meter of a table entry; without a configuration it is reset. @throws InputError */
export function encodeDirectMeter(index: P4InfoIndex, entity: DirectMeter): p4.DirectMeterEntry {
  const table = index.tables.get(entity.table);
  requireResource(index.directMeters, table);
  const message = new p4.DirectMeterEntry({ tableEntry: encodeEntryKey(index, entity) });
  if (entity.config !== undefined) {
    message.config = encodeMeterConfig(entity.config, `table '${table.name}', meter`);
  }
  return message;
}

/** A direct meter that a switch has sent. @throws InputError when P4Info lacks its table. */
export function decodeDirectMeter(index: P4InfoIndex, message: p4.DirectMeterEntry): DirectMeter {
  return {
    kind: 'direct-meter',
    ...decodeEntryKey(index, message.tableEntry),
    ...(message.hasConfig && { config: decodeMeterConfig(message.config) }),
    ...(message.hasCounterData && { counters: decodeMeterCounters(message.counterData) }),
  };
}

/** @throws InputError naming the table that has none. */
function requireResource(
  resources: NameIndex<NamedObject & { readonly tableId: number }>,
  table: TableInfo,
): void {
  if (resources.all.some(({ tableId }) => tableId === table.id)) return;
  throw new InputError(`table '${table.name}': it has no ${resources.kind}`);
}
