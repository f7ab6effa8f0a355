import { InputError } from '../../common/errors';

/** Range of a parameter, from `low` to `high`; `exclusiveLow` leaves `low` itself out. */
interface ParameterRange {
  readonly low: number;
  readonly high: number;
  readonly exclusiveLow?: boolean;
  readonly integer?: boolean;
}

/** Returns `value`, or throws InputError naming the parameter, what it may be and what it was. */
export function checkParameter(name: string, value: number, range: ParameterRange): number {
  const isAboveLow = range.exclusiveLow === true ? value > range.low : value >= range.low;
  const isWhole = range.integer !== true || Number.isInteger(value);
  if (isAboveLow && value <= range.high && Number.isFinite(value) && isWhole) return value;
  throw new InputError(`${name} must be ${describe(range)}, got ${value}`);
}

function describe(range: ParameterRange): string {
  const noun = range.integer === true ? 'an integer' : 'a number';
  const low = range.exclusiveLow === true ? `above ${range.low}` : `at least ${range.low}`;
  return Number.isFinite(range.high)
    ? `${noun} ${low} and at most ${range.high}`
    : `${noun} ${low}`;
}
