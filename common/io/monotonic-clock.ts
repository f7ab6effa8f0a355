import { PS_PER_MS } from '../units/units';
import type { Instant } from '../units/units';

/** Reads the time since some origin; it never goes back. */
export type Clock = () => Instant;

/**
 * A clock that begins at 0 now and follows the machine's monotonic clock, whatever happens to the
 * date. Beyond 2.5 hours instants are no longer exact to the picosecond, but to a nanosecond for
 * months, which is all that the machine's own clock gives.
 */
export function startClock(): Clock {
  const origin = performance.now();
  return () => Math.floor((performance.now() - origin) * PS_PER_MS);
}
