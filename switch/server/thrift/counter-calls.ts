import type Int64 from 'node-int64';
import { standardTypes } from './generated-code';
import { fromInt64, int64 } from './int64';
import type { ServiceCalls } from './service-calls';
import type { CounterAccess, ThriftTarget } from './target';

const { CounterError, CounterFailure, CounterValue } = standardTypes;

interface CounterValueMessage {
  readonly bytes: Int64;
  readonly packets: Int64;
}

export function counterCalls(target: ThriftTarget): ServiceCalls {
  const array = (name: string): CounterAccess => {
    const found = target.counter(name);
    if (found === undefined) throw new CounterFailure({ code: CounterError.UNKNOWN_ARRAY });
    return found;
  };
  const cell = (name: string, index: number): CounterAccess => {
    const found = array(name);
    if (index >= 0 && index < found.size) return found;
    throw new CounterFailure({ code: CounterError.INDEX_OUT_OF_RANGE });
  };
  return {
    bm_counter_read: (_context: number, name: string, index: number): CounterValueMessage => {
      const { bytes, packets } = cell(name, index).read(index);
      return new CounterValue({ bytes: int64(bytes), packets: int64(packets) });
    },
    bm_counter_write: (
      ...[, name, index, value]: [number, string, number, CounterValueMessage]
    ): void => {
      const totals = { bytes: fromInt64(value.bytes), packets: fromInt64(value.packets) };
      cell(name, index).write(index, totals);
    },
    bm_counter_reset_all: (_context: number, name: string): void => {
      const found = array(name);
      for (let index = 0; index < found.size; index++) {
        found.write(index, { bytes: 0n, packets: 0n });
      }
    },
  };
}
