import type Int64 from 'node-int64';
import { standardTypes } from '../../../common/thrift/io/generated-code';
import { fromInt64, int64 } from './int64';
import type { RegisterControl } from '../../control/program-control';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget } from './target';

const { RegisterError, RegisterFailure } = standardTypes;

/** Cells wider than 64 bits are cut to their low bits: Thrift has nothing wider. */
export function registerCalls(target: ThriftTarget): ServiceCalls {
  const array = (name: string): RegisterControl => {
    const found = target.program?.registers.get(name);
    if (found === undefined) throw new RegisterFailure({ code: RegisterError.UNKNOWN_ARRAY });
    return found;
  };
  const cell = (name: string, index: number): RegisterControl => {
    const found = array(name);
    if (index >= 0 && index < found.size) return found;
    throw new RegisterFailure({ code: RegisterError.INDEX_OUT_OF_RANGE });
  };
  const read = (found: RegisterControl, index: number): Int64 => int64(found.read(index) ?? 0n);
  return {
    bm_register_read: (_context: number, name: string, index: number): Int64 =>
      read(cell(name, index), index),
    bm_register_read_all: (_context: number, name: string): Int64[] => {
      const found = array(name);
      return Array.from({ length: found.size }, (_, index) => read(found, index));
    },
    bm_register_write: (...[, name, index, value]: [number, string, number, Int64]): void =>
      cell(name, index).write(index, fromInt64(value)),
    bm_register_write_range: (
      ...[, name, first, past, value]: [number, string, number, number, Int64]
    ): void => cell(name, first).writeRange(first, past, fromInt64(value)),
    bm_register_reset: (_context: number, name: string): void => array(name).reset(),
  };
}
