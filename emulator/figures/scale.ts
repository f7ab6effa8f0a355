import type { Figure, Quantity } from './figure';

/** A unit for people. */
export interface Scale {
  /** Empty for figures without one. */
  readonly unit: string;
  /** Units of the result per unit of the scale. */
  readonly factor: number;
}

/** Unit, its size, and the smallest value that is shown in it; the smallest unit first. */
type Units = readonly (readonly [unit: string, factor: number, from: number])[];

const UNITS: Readonly<Partial<Record<Quantity, Units>>> = {
  time: [
    ['us', 1, 0],
    ['ms', 1e3, 1e5],
    ['s', 1e6, 1e7],
  ],
  data: [
    ['B', 1, 0],
    ['KB', 1e3, 1e3],
    ['MB', 1e6, 1e7],
    ['GB', 1e9, 1e10],
  ],
  rate: [
    ['Mb/s', 1e-3, 0],
    ['Gb/s', 1, 1],
  ],
  share: [['%', 0.01, 0]],
  ratio: [['', 1, 0]],
};

/** Size of units that are not those of the table, in its own. */
const SIZES: Readonly<Record<string, number>> = { s: 1e6, 'bit/s': 1e-9 };

/** The unit in which the largest of some values of a figure has few digits. */
export function scaleOf({ quantity, unit }: Figure, values: readonly number[]): Scale {
  const size = SIZES[unit] ?? 1;
  const largest = size * values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const found = UNITS[quantity]?.findLast(([, , from]) => largest >= from);
  return found === undefined ? { unit, factor: 1 } : { unit: found[0], factor: found[1] / size };
}

/** The unit of the result itself, for files that programs read. */
export const rawScale = ({ unit }: Figure): Scale => ({
  unit: unit === '1' ? '' : unit,
  factor: 1,
});
