import type Int64 from 'node-int64';
import { standardTypes } from '../../../common/thrift/generated-code';
import { fromInt64, int64 } from './int64';
import type { CounterControl, RegisterControl } from '../../control/program-control';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget } from './target';

const { CounterError, CounterFailure, CounterValue } = standardTypes;
const { RegisterError, RegisterFailure } = standardTypes;

/** Arrays of one kind by name, and arrays that have a cell. */
export interface ArrayAccess<T> {
  readonly array: (name: string) => T;
  readonly cell: (name: string, index: number) => T;
}

/** @param refusal what is thrown where the array, or the cell in it, does not exist. */
export function arrayAccess<T extends { readonly size: number }>(
  arrays: () => ReadonlyMap<string, T> | undefined,
  refusal: (lacking: 'array' | 'cell') => Error,
): ArrayAccess<T> {
  const array = (name: string): T => {
    const found = arrays()?.get(name);
    if (found === undefined) throw refusal('array');
    return found;
  };
  const cell = (name: string, index: number): T => {
    const found = array(name);
    if (index >= 0 && index < found.size) return found;
    throw refusal('cell');
  };
  return { array, cell };
}

/** Cells wider than 64 bits are cut to their low bits: Thrift has nothing wider. */
export function registerCalls(target: ThriftTarget): ServiceCalls {
  const { UNKNOWN_ARRAY, INDEX_OUT_OF_RANGE } = RegisterError;
  const { array, cell } = arrayAccess(
    () => target.program?.registers,
    (lacking) =>
      new RegisterFailure({ code: lacking === 'array' ? UNKNOWN_ARRAY : INDEX_OUT_OF_RANGE }),
  );
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

export interface CounterValueMessage {
  readonly bytes: Int64;
  readonly packets: Int64;
}

type Count = Parameters<CounterControl['write']>[1];

export const countMessage = ({ bytes, packets }: Count): CounterValueMessage =>
  new CounterValue({ bytes: int64(bytes), packets: int64(packets) });

export const countFrom = ({ bytes, packets }: CounterValueMessage): Count => ({
  bytes: Number(fromInt64(bytes)),
  packets: Number(fromInt64(packets)),
});

export function counterCalls(target: ThriftTarget): ServiceCalls {
  const { UNKNOWN_ARRAY, INDEX_OUT_OF_RANGE } = CounterError;
  const { array, cell } = arrayAccess(
    () => target.program?.counters,
    (lacking) =>
      new CounterFailure({ code: lacking === 'array' ? UNKNOWN_ARRAY : INDEX_OUT_OF_RANGE }),
  );
  return {
    bm_counter_read: (_context: number, name: string, index: number): CounterValueMessage =>
      countMessage(cell(name, index).read(index) ?? { bytes: 0, packets: 0 }),
    bm_counter_write: (
      ...[, name, index, value]: [number, string, number, CounterValueMessage]
    ): void => cell(name, index).write(index, countFrom(value)),
    bm_counter_reset_all: (_context: number, name: string): void => array(name).reset(),
  };
}
