import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { MeterCell } from '../../entities/meter';
import { decodeIndex, encodeIndex, sentObject } from './array-cell';
import { decodeMeterConfig, decodeMeterCounters, encodeMeterConfig } from './direct-data';

/** The message of a meter's cell; without a configuration it is reset. @throws InputError */
export function encodeMeter(index: P4InfoIndex, entity: MeterCell): p4.MeterEntry {
  const info = index.meters.get(entity.meter);
  const message = new p4.MeterEntry({ meterId: info.id });
  const place = encodeIndex('meter', info, entity.index);
  if (place !== undefined) message.index = place;
  if (entity.config !== undefined) {
    message.config = encodeMeterConfig(entity.config, `meter '${info.name}'`);
  }
  return message;
}

/** A meter's cell that a switch has sent. @throws InputError when P4Info lacks the meter. */
export function decodeMeter(index: P4InfoIndex, message: p4.MeterEntry): MeterCell {
  const place = decodeIndex(message);
  return {
    kind: 'meter',
    meter: sentObject(index.meters, message.meterId).name,
    ...(place !== undefined && { index: place }),
    ...(message.hasConfig && { config: decodeMeterConfig(message.config) }),
    ...(message.hasCounterData && { counters: decodeMeterCounters(message.counterData) }),
  };
}
