import type { Duration } from '../../common/units/units';

/** Behaviour of a queue during a storm: its packets are dropped, or leave in spite of pauses. */
export const STORM_ACTIONS = ['drop', 'forward'] as const;
export type StormAction = (typeof STORM_ACTIONS)[number];

/**
 * Settings of the watchdog for pauses, as switches of the field have it (SONiC: detection time, restoration time,
 * action).
 */
export interface WatchdogOptions {
  /** A queue whose packets have been kept back by pauses for so long is in a storm. */
  readonly detect: Duration;
  /** The storm ends when the queue has not been paused for so long. */
  readonly restore: Duration;
  readonly action: StormAction;
}
