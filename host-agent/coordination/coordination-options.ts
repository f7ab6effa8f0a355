import type { Duration, Instant } from '../../common/units/units';
import { checkParameter } from '../algorithm/check-parameter';
import type { SwitchKeys } from '../feedback/switch-keys';

/** A host that obeys the notifications of coordinated congestion management. */
export interface CoordinationOptions {
  /** Keys shared with the switches; notifications under other keys are refused. */
  readonly keys: SwitchKeys;
  /** A flow is released so long after the last type 1. Default: 10 base RTTs. */
  readonly holdTime?: Duration;
  /** Congestion control acts for so long after a CE mark. Default: 2 base RTTs. */
  readonly markTime?: Duration;
  /** True if type 3 makes a flow leave from another source port. Default true. */
  readonly reroutes?: boolean;
  /** Time for which a flow then stays on its path. Default: 4 base RTTs. */
  readonly rerouteHold?: Duration;
  /** Called synchronously for everything that changes a flow. */
  readonly observe?: (event: CoordinationEvent) => void;
}

export type CoordinationPlan = Required<Omit<CoordinationOptions, 'observe'>> &
  Pick<CoordinationOptions, 'observe'>;

export type CoordinationEventKind =
  /** The CC indicator is set from now on, and congestion control acts. */
  | 'tagged'
  /** Type 2 of everybody who had asked. */
  | 'released'
  /** Nobody has asked for as long as type 1 holds: a type 2 was lost, or marks have ceased. */
  | 'expired'
  /** Type 3: later packets leave from another source port. */
  | 'rerouted';

export interface CoordinationEvent {
  readonly kind: CoordinationEventKind;
  readonly at: Instant;
  readonly flow: number;
}

const HOLD_RTTS = 10;
const MARK_RTTS = 2;
const REROUTE_HOLD_RTTS = 4;

/** Fills in defaults. Throws InputError naming the option that is out of range. */
export function checkCoordination(
  options: CoordinationOptions,
  baseRtt: Duration,
): CoordinationPlan {
  const time = (name: 'holdTime' | 'markTime' | 'rerouteHold', rtts: number): Duration =>
    checkParameter(name, options[name] ?? rtts * baseRtt, {
      low: 0,
      high: Number.MAX_SAFE_INTEGER,
      exclusiveLow: true,
    });
  return {
    keys: options.keys,
    holdTime: time('holdTime', HOLD_RTTS),
    markTime: time('markTime', MARK_RTTS),
    reroutes: options.reroutes ?? true,
    rerouteHold: time('rerouteHold', REROUTE_HOLD_RTTS),
    ...(options.observe !== undefined && { observe: options.observe }),
  };
}
