import type { HpccppTuning } from '../window-form';

/** Picks the part of a tuning that depends on the host and its network, not on the control law. */
export const hostTuning = ({
  roundsLastT,
  averagesLinks,
  queueShare,
  plausibilityLimits,
}: HpccppTuning): HpccppTuning => ({
  ...(roundsLastT !== undefined && { roundsLastT }),
  ...(averagesLinks !== undefined && { averagesLinks }),
  ...(queueShare !== undefined && { queueShare }),
  ...(plausibilityLimits !== undefined && { plausibilityLimits }),
});
