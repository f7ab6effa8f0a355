import type { HopRecord } from '../../../common/hop/hop';
import { PS_PER_SECOND } from '../../../common/units/units';
import type { Duration } from '../../../common/units/units';
import type { CongestionSample } from '../../carrier/congestion-sample';

/** Share of T that a queue may take before its path counts as congested: the least threshold of REPS's marks. */
const QUEUE_RTTS = 0.2;

/**
 * True if an acknowledgement tells of congestion on the way of its packet: a switch has marked it (ECN), or
 * telemetry shows a queue that takes a fifth of T, where REPS lets switches begin to mark.
 */
export function isCongestedReturn(
  isMarked: boolean,
  sample: CongestionSample | undefined,
  baseRtt: Duration,
): boolean {
  if (isMarked) return true;
  if (sample?.kind !== 'links') return false;
  for (const hop of sample.telemetry) if (queueTime(hop) >= QUEUE_RTTS * baseRtt) return true;
  return false;
}

const queueTime = ({ queueBytes, capacity }: HopRecord): Duration =>
  (queueBytes * 8 * PS_PER_SECOND) / capacity;
