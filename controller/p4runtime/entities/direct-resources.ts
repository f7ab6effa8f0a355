import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { DirectCounter, DirectMeter } from '../../entities/stateful-elements';
import { decodeCount, decodeRates, encodeCounterData, encodeMeterConfig } from './array-cells';
import { decodeEntryKey, encodeEntryKey } from './table-entry';

/** The message of the counter of a table entry. @throws InputError naming the table. */
export function encodeDirectCounter(
  index: P4InfoIndex,
  entity: DirectCounter,
): p4.DirectCounterEntry {
  const what = `${owner(index.directCounters, index.tables.get(entity.table))}, counter`;
  return new p4.DirectCounterEntry({
    tableEntry: encodeEntryKey(index, entity),
    ...(entity.data && { data: encodeCounterData(entity.data, what) }),
  });
}

/** A direct counter that a switch has sent. @throws InputError when P4Info lacks its table. */
export const decodeDirectCounter = (
  index: P4InfoIndex,
  message: p4.DirectCounterEntry,
): DirectCounter => ({
  kind: 'direct-counter',
  ...decodeEntryKey(index, message.tableEntry),
  ...decodeCount(message),
});

/** The message of the meter of a table entry; without a configuration it is reset. @throws InputError */
export function encodeDirectMeter(index: P4InfoIndex, entity: DirectMeter): p4.DirectMeterEntry {
  const what = `${owner(index.directMeters, index.tables.get(entity.table))}, meter`;
  return new p4.DirectMeterEntry({
    tableEntry: encodeEntryKey(index, entity),
    ...(entity.config && { config: encodeMeterConfig(entity.config, what) }),
  });
}

/** A direct meter that a switch has sent. @throws InputError when P4Info lacks its table. */
export const decodeDirectMeter = (
  index: P4InfoIndex,
  message: p4.DirectMeterEntry,
): DirectMeter => ({
  kind: 'direct-meter',
  ...decodeEntryKey(index, message.tableEntry),
  ...decodeRates(message),
});

/** The table in words. @throws InputError naming it where it has no such resource. */
function owner(
  resources: NameIndex<NamedObject & { readonly tableId: number }>,
  { id, name }: TableInfo,
): string {
  if (resources.all.some(({ tableId }) => tableId === id)) return `table '${name}'`;
  throw new InputError(`table '${name}': it has no ${resources.kind}`);
}
