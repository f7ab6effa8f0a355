import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { SizedInfo, P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { CounterCell, MeterCell, RegisterCell } from '../../entities/stateful-elements';
import { sentObject } from './wire-values';
import {
  decodeCounterData,
  encodeCounterData,
  decodeMeterConfig,
  decodeMeterCounters,
  encodeMeterConfig,
} from './direct-data';
import { decodeData, encodeData } from './p4-data';

/**
 * Puts the place of a cell in a counter, meter or register into its message; without an index, all
 * cells are meant.
 * @throws InputError naming the array and its size.
 */
export function setIndex<Message extends { index: p4.Index }>(
  message: Message,
  kind: string,
  { name, size }: Pick<SizedInfo, 'name' | 'size'>,
  index: number | undefined,
): Message {
  if (index === undefined) return message;
  if (!Number.isSafeInteger(index) || index < 0 || (size > 0 && index >= size)) {
    const wanted = `an index from 0 to ${size - 1}`;
    throw new InputError(`${kind} '${name}': wanted ${wanted}, found ${index}`);
  }
  message.index = new p4.Index({ index: String(index) });
  return message;
}

/** The index of a cell that a switch has sent; none when it has none. */
function sentIndex(message: { readonly hasIndex: boolean; readonly index: p4.Index }): {
  readonly index?: number;
} {
  return message.hasIndex ? { index: Number(message.index.index) } : {};
}

/** The message of a counter's cell. @throws InputError naming counter and index. */
export function encodeCounter(index: P4InfoIndex, entity: CounterCell): p4.CounterEntry {
  const info = index.counters.get(entity.counter);
  const message = setIndex(
    new p4.CounterEntry({ counterId: info.id }),
    'counter',
    info,
    entity.index,
  );
  if (entity.data !== undefined) {
    message.data = encodeCounterData(entity.data, `counter '${info.name}'`);
  }
  return message;
}

/** A counter's cell that a switch has sent. @throws InputError when P4Info lacks the counter. */
export function decodeCounter(index: P4InfoIndex, message: p4.CounterEntry): CounterCell {
  return {
    kind: 'counter',
    counter: sentObject(index.counters, message.counterId).name,
    ...sentIndex(message),
    ...(message.hasData && { data: decodeCounterData(message.data) }),
  };
}

/** The message of a meter's cell; without a configuration it is reset. @throws InputError */
export function encodeMeter(index: P4InfoIndex, entity: MeterCell): p4.MeterEntry {
  const info = index.meters.get(entity.meter);
  const message = setIndex(new p4.MeterEntry({ meterId: info.id }), 'meter', info, entity.index);
  if (entity.config !== undefined) {
    message.config = encodeMeterConfig(entity.config, `meter '${info.name}'`);
  }
  return message;
}

/** A meter's cell that a switch has sent. @throws InputError when P4Info lacks the meter. */
export function decodeMeter(index: P4InfoIndex, message: p4.MeterEntry): MeterCell {
  return {
    kind: 'meter',
    meter: sentObject(index.meters, message.meterId).name,
    ...sentIndex(message),
    ...(message.hasConfig && { config: decodeMeterConfig(message.config) }),
    ...(message.hasCounterData && { counters: decodeMeterCounters(message.counterData) }),
  };
}

/** The message of a register's cell. @throws InputError naming register, index and type. */
export function encodeRegister(index: P4InfoIndex, entity: RegisterCell): p4.RegisterEntry {
  const info = index.registers.get(entity.register);
  const message = setIndex(
    new p4.RegisterEntry({ registerId: info.id }),
    'register',
    info,
    entity.index,
  );
  if (entity.value !== undefined) {
    message.data = encodeData(info.dataType, entity.value, `register '${info.name}'`);
  }
  return message;
}

/** A register's cell that a switch has sent. @throws InputError when P4Info lacks the register. */
export function decodeRegister(index: P4InfoIndex, message: p4.RegisterEntry): RegisterCell {
  const info = sentObject(index.registers, message.registerId);
  const what = `register '${info.name}'`;
  return {
    kind: 'register',
    register: info.name,
    ...sentIndex(message),
    ...(message.hasData && { value: decodeData(info.dataType, message.data, what) }),
  };
}
