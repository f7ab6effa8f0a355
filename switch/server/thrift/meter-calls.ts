import { standardTypes } from './generated-code';
import type { ServiceCalls } from './service-calls';
import type { MeterAccess, MeterRates, ThriftTarget, TokenBucket } from './target';

const { MeterError, MeterFailure, MeterRate } = standardTypes;

const MICROSECONDS_PER_SECOND = 1e6;

interface MeterRateMessage {
  readonly unitsPerMicrosecond: number;
  readonly burst: number;
}

export function meterCalls(target: ThriftTarget): ServiceCalls {
  const array = (name: string): MeterAccess => {
    const found = target.meter(name);
    if (found === undefined) throw new MeterFailure({ code: MeterError.UNKNOWN_ARRAY });
    return found;
  };
  const cell = (name: string, index: number): MeterAccess => {
    const found = array(name);
    if (index >= 0 && index < found.size) return found;
    throw new MeterFailure({ code: MeterError.INDEX_OUT_OF_RANGE });
  };
  return {
    bm_meter_get_rates: (_context: number, name: string, index: number): MeterRateMessage[] => {
      const rates = cell(name, index).read(index);
      return rates === undefined ? [] : [message(rates.committed), message(rates.peak)];
    },
    bm_meter_set_rates: (
      ...[, name, index, rates]: [number, string, number, MeterRateMessage[]]
    ): void => cell(name, index).write(index, meterRates(rates)),
    bm_meter_array_set_rates: (_context: number, name: string, rates: MeterRateMessage[]): void => {
      const found = array(name);
      const checked = meterRates(rates);
      for (let index = 0; index < found.size; index++) found.write(index, checked);
    },
  };
}

function message({ unitsPerSecond, burst }: TokenBucket): MeterRateMessage {
  return new MeterRate({ unitsPerMicrosecond: unitsPerSecond / MICROSECONDS_PER_SECOND, burst });
}

/** Two rates of which the second is at least the first (RFC 2698 section 2). */
function meterRates(rates: readonly MeterRateMessage[]): MeterRates {
  const [committed, peak] = rates.map(bucket);
  if (committed === undefined || peak === undefined || rates.length !== 2) {
    throw new MeterFailure({ code: MeterError.BAD_RATES });
  }
  if (peak.unitsPerSecond < committed.unitsPerSecond) {
    throw new MeterFailure({ code: MeterError.BAD_RATE });
  }
  return { committed, peak };
}

function bucket({ unitsPerMicrosecond, burst }: MeterRateMessage): TokenBucket {
  if (!(unitsPerMicrosecond >= 0)) throw new MeterFailure({ code: MeterError.BAD_RATE });
  if (burst < 0) throw new MeterFailure({ code: MeterError.BAD_BURST });
  return { unitsPerSecond: unitsPerMicrosecond * MICROSECONDS_PER_SECOND, burst };
}
