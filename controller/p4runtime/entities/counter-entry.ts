import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { CounterCell } from '../../entities/counter';
import { decodeIndex, encodeIndex, sentObject } from './array-cell';
import { decodeCounterData, encodeCounterData } from './direct-data';

/** The message of a counter's cell. @throws InputError naming counter and index. */
export function encodeCounter(index: P4InfoIndex, entity: CounterCell): p4.CounterEntry {
  const info = index.counters.get(entity.counter);
  const message = new p4.CounterEntry({ counterId: info.id });
  const place = encodeIndex('counter', info, entity.index);
  if (place !== undefined) message.index = place;
  if (entity.data !== undefined) {
    message.data = encodeCounterData(entity.data, `counter '${info.name}'`);
  }
  return message;
}

/** A counter's cell that a switch has sent. @throws InputError when P4Info lacks the counter. */
export function decodeCounter(index: P4InfoIndex, message: p4.CounterEntry): CounterCell {
  const place = decodeIndex(message);
  return {
    kind: 'counter',
    counter: sentObject(index.counters, message.counterId).name,
    ...(place !== undefined && { index: place }),
    ...(message.hasData && { data: decodeCounterData(message.data) }),
  };
}
