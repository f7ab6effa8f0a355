import type Int64 from 'node-int64';
import { standardTypes } from '../../../common/thrift/io/generated-code';
import { fromInt64, int64 } from './int64';
import type { CounterControl } from '../../control/program-control';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget } from './target';

const { CounterError, CounterFailure, CounterValue } = standardTypes;

export interface CounterValueMessage {
  readonly bytes: Int64;
  readonly packets: Int64;
}

export function counterCalls(target: ThriftTarget): ServiceCalls {
  const array = (name: string): CounterControl => {
    const found = target.program?.counters.get(name);
    if (found === undefined) throw new CounterFailure({ code: CounterError.UNKNOWN_ARRAY });
    return found;
  };
  const cell = (name: string, index: number): CounterControl => {
    const found = array(name);
    if (index >= 0 && index < found.size) return found;
    throw new CounterFailure({ code: CounterError.INDEX_OUT_OF_RANGE });
  };
  return {
    bm_counter_read: (_context: number, name: string, index: number): CounterValueMessage => {
      const { bytes, packets } = cell(name, index).read(index) ?? { bytes: 0, packets: 0 };
      return new CounterValue({ bytes: int64(bytes), packets: int64(packets) });
    },
    bm_counter_write: (
      ...[, name, index, value]: [number, string, number, CounterValueMessage]
    ): void => {
      const [bytes, packets] = [fromInt64(value.bytes), fromInt64(value.packets)];
      cell(name, index).write(index, { bytes: Number(bytes), packets: Number(packets) });
    },
    bm_counter_reset_all: (_context: number, name: string): void => array(name).reset(),
  };
}
