import { standardTypes } from '../../../common/thrift/generated-code';
import { arrayAccess } from './array-calls';
import type { MeterSettings } from '../../control/program-control';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget } from './target';

const { MeterError, MeterFailure, MeterRate } = standardTypes;

const MICROSECONDS_PER_SECOND = 1e6;

export interface MeterRateMessage {
  readonly unitsPerMicrosecond: number;
  readonly burst: number;
}

export function meterCalls(target: ThriftTarget): ServiceCalls {
  const { UNKNOWN_ARRAY, INDEX_OUT_OF_RANGE } = MeterError;
  const { array, cell } = arrayAccess(
    () => target.program?.meters,
    (lacking) =>
      new MeterFailure({ code: lacking === 'array' ? UNKNOWN_ARRAY : INDEX_OUT_OF_RANGE }),
  );
  return {
    bm_meter_get_rates: (_context: number, name: string, index: number): MeterRateMessage[] =>
      rateMessages(cell(name, index).settings(index)),
    bm_meter_set_rates: (
      ...[, name, index, rates]: [number, string, number, MeterRateMessage[]]
    ): void => cell(name, index).configure(index, settingsFrom(rates)),
    bm_meter_array_set_rates: (_context: number, name: string, rates: MeterRateMessage[]): void => {
      const found = array(name);
      const settings = settingsFrom(rates);
      for (let index = 0; index < found.size; index++) found.configure(index, settings);
    },
  };
}

/** Committed before peak; nothing while the meter is not configured. */
export function rateMessages(settings: MeterSettings | undefined): MeterRateMessage[] {
  if (settings === undefined) return [];
  const { committedRate, committedBurst, peakRate, peakBurst } = settings;
  return [message(committedRate, committedBurst), message(peakRate, peakBurst)];
}

function message(unitsPerSecond: number, burst: number): MeterRateMessage {
  return new MeterRate({ unitsPerMicrosecond: unitsPerSecond / MICROSECONDS_PER_SECOND, burst });
}

/** Two rates of which the second is at least the first (RFC 2698 section 2). */
export function settingsFrom(rates: readonly MeterRateMessage[]): MeterSettings {
  const [committed, peak] = rates;
  if (committed === undefined || peak === undefined || rates.length !== 2) {
    throw new MeterFailure({ code: MeterError.BAD_RATES });
  }
  if (!(committed.unitsPerMicrosecond >= 0 && peak.unitsPerMicrosecond >= 0)) {
    throw new MeterFailure({ code: MeterError.BAD_RATE });
  }
  if (peak.unitsPerMicrosecond < committed.unitsPerMicrosecond) {
    throw new MeterFailure({ code: MeterError.BAD_RATE });
  }
  if (committed.burst < 0 || peak.burst < 0) {
    throw new MeterFailure({ code: MeterError.BAD_BURST });
  }
  return {
    committedRate: committed.unitsPerMicrosecond * MICROSECONDS_PER_SECOND,
    committedBurst: committed.burst,
    peakRate: peak.unitsPerMicrosecond * MICROSECONDS_PER_SECOND,
    peakBurst: peak.burst,
  };
}
