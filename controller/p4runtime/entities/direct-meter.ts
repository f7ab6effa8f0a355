import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { DirectMeter } from '../../entities/meter';
import { decodeMeterConfig, decodeMeterCounters, encodeMeterConfig } from './direct-data';
import { decodeEntryKey, encodeEntryKey } from './table-entry';

/** The message of the meter of a table entry; without a configuration it is reset. @throws InputError */
export function encodeDirectMeter(index: P4InfoIndex, entity: DirectMeter): p4.DirectMeterEntry {
  const table = index.tables.get(entity.table);
  if (!index.directMeters.all.some((each) => each.tableId === table.id)) {
    throw new InputError(`table '${table.name}': it has no direct meter`);
  }
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
