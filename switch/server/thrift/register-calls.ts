import type Int64 from 'node-int64';
import { standardTypes } from './generated-code';
import { fromInt64, int64 } from './int64';
import type { ServiceCalls } from './service-calls';
import type { RegisterAccess, ThriftTarget } from './target';

const { RegisterError, RegisterFailure } = standardTypes;

/** Cells wider than 64 bits are cut to their low bits: Thrift has nothing wider. */
export function registerCalls(target: ThriftTarget): ServiceCalls {
  const array = (name: string): RegisterAccess => {
    const found = target.register(name);
    if (found === undefined) throw new RegisterFailure({ code: RegisterError.UNKNOWN_ARRAY });
    return found;
  };
  const cell = (name: string, index: number): RegisterAccess => {
    const found = array(name);
    if (index >= 0 && index < found.size) return found;
    throw new RegisterFailure({ code: RegisterError.INDEX_OUT_OF_RANGE });
  };
  return {
    bm_register_read: (_context: number, name: string, index: number): Int64 =>
      int64(cell(name, index).read(index)),
    bm_register_read_all: (_context: number, name: string): Int64[] => {
      const found = array(name);
      return Array.from({ length: found.size }, (_, index) => int64(found.read(index)));
    },
    bm_register_write: (...[, name, index, value]: [number, string, number, Int64]): void =>
      cell(name, index).write(index, fromInt64(value)),
    bm_register_write_range: (
      ...[, name, first, past, value]: [number, string, number, number, Int64]
    ): void => fill(cell(name, first), first, Math.min(past, array(name).size), fromInt64(value)),
    bm_register_reset: (_context: number, name: string): void =>
      fill(array(name), 0, array(name).size, 0n),
  };
}

function fill(array: RegisterAccess, first: number, past: number, value: bigint): void {
  for (let index = first; index < past; index++) array.write(index, value);
}
