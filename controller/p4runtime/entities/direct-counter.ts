import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { DirectCounter } from '../../entities/counter';
import { decodeCounterData, encodeCounterData } from './direct-data';
import { decodeEntryKey, encodeEntryKey } from './table-entry';

/** The message of the counter of a table entry. @throws InputError naming the table. */
export function encodeDirectCounter(
  index: P4InfoIndex,
  entity: DirectCounter,
): p4.DirectCounterEntry {
  const table = index.tables.get(entity.table);
  if (!index.directCounters.all.some((each) => each.tableId === table.id)) {
    throw new InputError(`table '${table.name}': it has no direct counter`);
  }
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
