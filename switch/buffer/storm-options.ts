import type { StormTimes } from '../../common/pause/storm-watch';

/** Behaviour of a queue during a storm: its packets are dropped, or leave in spite of pauses. */
export const STORM_ACTIONS = ['drop', 'forward'] as const;
export type StormAction = (typeof STORM_ACTIONS)[number];

/**
 * Settings of the watchdog for pauses, as switches of the field have it (SONiC: detection time, restoration time,
 * action).
 */
export interface WatchdogOptions extends StormTimes {
  readonly action: StormAction;
}
