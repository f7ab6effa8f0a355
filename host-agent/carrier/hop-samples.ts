import type { CarrierHop, HopRecord } from '../../common/hop/hop';
import { isHopRecord } from '../../common/hop/hop';
import type { CongestionSample } from './congestion-sample';

/**
 * The sample of a path whose hops a codec has read. A hop that lacks something makes it incomplete:
 * without it nobody knows whether that link is the fullest.
 */
export function sampleOf(hops: readonly CarrierHop[], isShort: boolean): CongestionSample {
  const telemetry = hops.filter((hop): hop is CarrierHop & HopRecord => isHopRecord(hop));
  return { kind: 'links', telemetry, isIncomplete: isShort || telemetry.length < hops.length };
}
