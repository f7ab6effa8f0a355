import type { HopRecord } from '../../../common/hop/hop';
import type { Instant } from '../../../common/units/units';
import { withNewerHop } from '../../carrier/congestion-sample';
import type { FlowSender } from './sender';

/** What a switch says at once of a link: what it looked like behind the segment that made it speak. */
export interface LinkNews {
  /** First byte of the segment. */
  readonly sequence: number;
  readonly hop: HopRecord;
}

/**
 * The flow of the segment learns. The record takes its place among those of the latest telemetry, whose
 * other links then show no time passed. `late`: newer telemetry came first, or none that it could be
 * compared with.
 */
export function tellFlow(
  sender: FlowSender,
  now: Instant,
  { sequence, hop }: LinkNews,
): 'taken' | 'late' | 'acknowledges-unsent' {
  if (!sender.hasSent(sequence)) return 'acknowledges-unsent';
  const telemetry = withNewerHop(sender.latestTelemetry, hop);
  if (telemetry === undefined) return 'late';
  // A round has passed with the first byte of the segment, not only with the one behind it.
  sender.handleNotification(now, sequence + 1, whole(telemetry));
  return 'taken';
}

/**
 * Another flow of the host learns, if the link is on its path too; no round of it ends. Returns whether
 * it is.
 */
export function tellOther(sender: FlowSender, now: Instant, { hop }: LinkNews): boolean {
  const telemetry = withNewerHop(sender.latestTelemetry, hop);
  if (telemetry === undefined) return false;
  sender.handleSample(now, whole(telemetry), false);
  return true;
}

const whole = (telemetry: readonly HopRecord[]) =>
  ({ kind: 'links', telemetry, isIncomplete: false }) as const;
