import { z } from 'zod';

/**
 * Ranges of a scenario's quantities. Instants are picoseconds in a number, which is exact up to two
 * and a half hours; a byte that takes longer than the run, or a thousandth of a picosecond, is a
 * slip of the pen.
 */
const within = (min: number, max: number, unit: string): z.ZodNumber => {
  const error = `must be a number from ${min} to ${max} ${unit}`;
  return z.number(error).min(min, error).max(max, error);
};

/** Rate from 1 kb/s to 100 Tb/s. */
export const rateGbps = within(1e-6, 100_000, 'Gb/s');

/** Up to ten seconds. */
export const delayNs = within(0, 10_000_000_000, 'ns');

/** Up to two and a half hours. */
export const timeUs = within(0, 9_000_000_000, 'us');

/** Up to what a minute of 100 Tb/s carries, hundreds of terabytes. */
export const payloadBytes = within(1, 1e15, 'bytes').int('must be a whole number of bytes');

/** Interval between samples. */
export const recordIntervalNs = within(1, 10_000_000_000, 'ns').int('must be whole ns');
