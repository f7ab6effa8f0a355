import type { CcmIndicators } from '../../common/wire/coordination/ccm-tag';
import type { CoordinationEventKind } from '../../host-agent/coordination/coordination-options';
import type { SeenNotification } from './observations';

/*
 * An observation is a row of 64-bit numbers:
 *
 *   0 time   1 rank: the place of its event among all events of the run
 *   2 kind | node << 4   3 flow   4 packet   5 detail   6 at
 *
 * The detail depends on the kind: a sender's port and whether CC is set, port and tag, a rate, the kind
 * of an event, or the index of a notification in the batch and whether it is obeyed.
 */
export const TIME = 0;
export const RANK = 1;
export const WHAT = 2;
export const FLOW = 3;
export const PACKET = 4;
export const DETAIL = 5;
export const AT = 6;
export const ROW = 7;

/** Kinds of rows: one number for each method of `Observations`. */
export const DATA_SENT = 0;
export const DATA_RECEIVED = 1;
export const DATA_ARRIVED = 2;
export const DATA_FORWARDED = 3;
export const MARK_RECEIVED = 4;
export const NOTIFICATION_SENT = 5;
export const NOTIFICATION_PASSED = 6;
export const NOTIFICATION_RECEIVED = 7;
export const ROUTES_CHANGED = 8;
export const FLOW_COORDINATED = 9;
export const RATE_CHANGED = 10;
export const FLOW_BEGAN = 11;
export const FLOW_COMPLETED = 12;
/** More than there are. */
export const WHATS = 16;

/** Observations of one part of a run, in order; plain data that threads can send each other. */
export interface ObservationBatch {
  readonly rows: Float64Array;
  /** Number of rows; the rest of the array is unused. */
  readonly count: number;
  readonly notifications: readonly SeenNotification[];
}

export const EVENT_KINDS: readonly CoordinationEventKind[] = [
  'tagged',
  'released',
  'expired',
  'rerouted',
];

/** Above any port. */
const PORTS = 2 ** 16;

/** Port and tag as one number, below 2^50: a rerouting point has 32 bits. */
export function packForwarding(port: number, { congestionControl, reroutingPoint }: CcmIndicators) {
  const point = reroutingPoint === undefined ? 0 : reroutingPoint + 1;
  return (2 * point + (congestionControl ? 1 : 0)) * PORTS + port;
}

export function unpackForwarding(detail: number): { port: number; tag: CcmIndicators } {
  const port = detail % PORTS;
  const tag = (detail - port) / PORTS;
  const point = Math.floor(tag / 2);
  const reroutingPoint = point === 0 ? undefined : point - 1;
  return { port, tag: { congestionControl: tag % 2 === 1, reroutingPoint } };
}

/** A number and a yes or no as one number. */
export const packFlagged = (value: number, flag: boolean): number => 2 * value + (flag ? 1 : 0);

export const unpackFlagged = (detail: number) => ({
  value: Math.floor(detail / 2),
  flag: detail % 2 === 1,
});
