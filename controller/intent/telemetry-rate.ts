import type { BitsPerSecond } from '../../common/units/units';

/**
 * The rate of a link in the telemetry, which carries whole megabits per second: rounded down, so that senders
 * fill no link beyond what it carries, and at least 1. Below 1 Mb/s senders therefore take the link for
 * faster than it is, and a queue stands there.
 */
export const telemetryMegabits = (rate: BitsPerSecond): number =>
  Math.max(1, Math.floor(rate / 1e6 + ROUNDING));

/** Rates come from decimals: 2.3 Gb/s is not quite 2300000000 bit/s in a double. */
const ROUNDING = 1e-6;

/** True if telemetry carries the rate as it is. */
export const isExactInTelemetry = (rate: BitsPerSecond): boolean =>
  Math.abs(telemetryMegabits(rate) - rate / 1e6) <= ROUNDING;

/** A sentence about links whose rates telemetry rounds; undefined where it rounds none. */
export function roundedRates(rates: readonly BitsPerSecond[]): string | undefined {
  const rounded = [...new Set(rates.filter((rate) => !isExactInTelemetry(rate)))];
  if (rounded.length === 0) return undefined;
  const list = rounded
    .slice(0, 3)
    .map((rate) => `${Number((rate / 1e6).toPrecision(12))} Mb/s as ${telemetryMegabits(rate)}`)
    .join(', ');
  const more = rounded.length > 3 ? ` and ${rounded.length - 3} more` : '';
  return `telemetry carries rates in whole Mb/s, at least 1: ${list}${more}`;
}
