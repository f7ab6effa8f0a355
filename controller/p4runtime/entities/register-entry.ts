import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { RegisterCell } from '../../entities/register';
import { decodeIndex, encodeIndex, sentObject } from './array-cell';
import { decodeData, encodeData } from '../p4-data';

/** The message of a register's cell. @throws InputError naming register, index and type. */
export function encodeRegister(index: P4InfoIndex, entity: RegisterCell): p4.RegisterEntry {
  const info = index.registers.get(entity.register);
  const message = new p4.RegisterEntry({ registerId: info.id });
  const place = encodeIndex('register', info, entity.index);
  if (place !== undefined) message.index = place;
  if (entity.value !== undefined) {
    message.data = encodeData(info.dataType, entity.value, `register '${info.name}'`);
  }
  return message;
}

/** A register's cell that a switch has sent. @throws InputError when P4Info lacks the register. */
export function decodeRegister(index: P4InfoIndex, message: p4.RegisterEntry): RegisterCell {
  const info = sentObject(index.registers, message.registerId);
  const place = decodeIndex(message);
  const what = `register '${info.name}'`;
  return {
    kind: 'register',
    register: info.name,
    ...(place !== undefined && { index: place }),
    ...(message.hasData && { value: decodeData(info.dataType, message.data, what) }),
  };
}
