import { wrappedDifference } from '../../../common/hop/hop';
import type { Duration, Instant } from '../../../common/units/units';
import { PS_PER_NS } from '../../../common/units/units';
import { PATH_SHIM_TIME_MODULUS } from '../../../common/wire/hpcc/path-shim';

/** The clock that packets show which say when they left: ns, modulo 2^48. */
export const clockOf = (now: Instant): number =>
  Math.floor(now / PS_PER_NS) % PATH_SHIM_TIME_MODULUS;

/** Time since a packet left which showed `sentAtNs`; undefined for what cannot have left yet. */
export function elapsedSince(sentAtNs: number, now: Instant): Duration | undefined {
  const ns = wrappedDifference(clockOf(now), sentAtNs, PATH_SHIM_TIME_MODULUS);
  return ns > PATH_SHIM_TIME_MODULUS / 2 ? undefined : ns * PS_PER_NS;
}
