import { ANY_TYPE } from './direct-table-calls';
import { standardTypes } from '../../../common/thrift/generated-code';
import { rateMessages, settingsFrom } from './meter-calls';
import { idBehind, tableNamed, failure } from './table-access';
import type { EntryId, EntryResources } from '../../control/program-control';
import { countFrom, countMessage } from './array-calls';
import type { CounterValueMessage } from './array-calls';
import type { MeterRateMessage } from './meter-calls';
import type { ServiceCalls } from './service-calls';
import type { DirectResources } from '../../control/table-control';
import type { NamedTable } from './table-access';
import type { ThriftTarget } from './target';

const { MeterFailure, TableError } = standardTypes;

type Code = (typeof TableError)[keyof typeof TableError];

const UNSUPPORTED: Readonly<Record<keyof DirectResources, Code>> = {
  counter: TableError.NO_COUNTERS,
  meter: TableError.NO_METERS,
  timeToLive: TableError.NO_AGEING,
};

/** Direct counters, direct meters and times to live. */
export function entryResourceCalls(target: ThriftTarget): ServiceCalls {
  const keeping = (name: string, what: keyof DirectResources): NamedTable => {
    const named = tableNamed(target, name, ANY_TYPE);
    if (!named.table.direct[what]) throw failure(UNSUPPORTED[what]);
    return named;
  };
  const entry = (
    name: string,
    what: keyof DirectResources,
    handle: number,
  ): { readonly id: EntryId; readonly resources: EntryResources } => {
    const { table, resources } = keeping(name, what);
    return { id: idBehind(table, handle), resources };
  };
  const setTimeToLive = (...[, name, handle, ms]: [number, string, number, number]): void => {
    const { id, resources } = entry(name, 'timeToLive', handle);
    resources.setTimeToLive(id, ms);
  };
  return {
    bm_mt_set_entry_ttl: setTimeToLive,
    bm_mt_indirect_set_entry_ttl: setTimeToLive,
    bm_mt_read_counter: (_context: number, name: string, handle: number) => {
      const { id, resources } = entry(name, 'counter', handle);
      return countMessage(resources.count(id));
    },
    bm_mt_write_counter: (
      ...[, name, handle, value]: [number, string, number, CounterValueMessage]
    ): void => {
      const { id, resources } = entry(name, 'counter', handle);
      resources.setCount(id, countFrom(value));
    },
    bm_mt_reset_counters: (_context: number, name: string): void => {
      const { table, resources } = keeping(name, 'counter');
      for (const id of table.entries()) resources.setCount(id, { packets: 0, bytes: 0 });
    },
    bm_mt_get_meter_rates: (_context: number, name: string, handle: number) => {
      const { id, resources } = entry(name, 'meter', handle);
      return rateMessages(resources.meterSettings(id));
    },
    bm_mt_set_meter_rates: (
      ...[, name, handle, rates]: [number, string, number, MeterRateMessage[]]
    ): void => {
      const { id, resources } = entry(name, 'meter', handle);
      resources.configureMeter(id, meterSettings(rates));
    },
  };
}

/** Tables have no codes of their own for bad rates. */
function meterSettings(rates: readonly MeterRateMessage[]): ReturnType<typeof settingsFrom> {
  try {
    return settingsFrom(rates);
  } catch (error) {
    if (!(error instanceof MeterFailure)) throw error;
    throw failure(TableError.FAILED);
  }
}
