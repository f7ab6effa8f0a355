import type { HopRecord } from '../../../common/hop/hop';
import type { Instant } from '../../../common/units/units';
import type { Signals } from '../../algorithm/signals';
import { withNewerHop } from '../../carrier/congestion-sample';
import type { FlowSender } from './sender';

/** Record of a link that a switch sends at once: the state of the link after the segment that caused it. */
export interface LinkReport {
  /** First byte of the segment. */
  readonly sequence: number;
  readonly hop: HopRecord;
}

type Outcome = 'taken' | 'late' | 'acknowledges-unsent';

/** Brings responses of switches to the flows of a host. */
export interface ResponseIntake {
  /** The flow of the segment learns. `late`: newer telemetry came first, or none to compare it with. */
  toFlow(sender: FlowSender, now: Instant, report: LinkReport): Outcome;
  /** Another flow of the host learns, if the link is on its path too; no round of it ends. */
  toOther(sender: FlowSender, now: Instant, report: LinkReport): boolean;
}

/**
 * Responses beside telemetry. The record takes its place among those of the latest telemetry, whose other
 * links then show no time passed.
 */
const BESIDE_TELEMETRY: ResponseIntake = {
  toFlow(sender, now, { sequence, hop }) {
    if (!sender.hasSent(sequence)) return 'acknowledges-unsent';
    const telemetry = withNewerHop(sender.latestTelemetry, hop);
    if (telemetry === undefined) return 'late';
    // A round has passed with the first byte of the segment, not only with the one behind it.
    sender.handleNotification(now, sequence + 1, whole(telemetry));
    return 'taken';
  },

  toOther(sender, now, { hop }) {
    const telemetry = withNewerHop(sender.latestTelemetry, hop);
    if (telemetry === undefined) return false;
    sender.handleSample(now, whole(telemetry), false);
    return true;
  },
};

/** Responses alone: nothing tells of the rest of the path, and the algorithm knows the links that answer it. */
const ALONE: ResponseIntake = {
  toFlow(sender, now, { sequence, hop }) {
    if (!sender.hasSent(sequence)) return 'acknowledges-unsent';
    sender.handleNotification(now, sequence + 1, whole([hop]));
    return 'taken';
  },

  toOther(sender, now, { hop }) {
    sender.handleSample(now, whole([hop]), false);
    return true;
  },
};

/** The intake of a host whose packets have those signals. */
export const responseIntakeOf = ({ telemetry }: Pick<Signals, 'telemetry'>): ResponseIntake =>
  telemetry === 'responses' ? ALONE : BESIDE_TELEMETRY;

const whole = (telemetry: readonly HopRecord[]) =>
  ({ kind: 'links', telemetry, isIncomplete: false, isOneLink: true }) as const;
