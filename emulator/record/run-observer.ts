import type { Instant } from '../../common/units/units';
import type { CongestionEvent } from '../../host-agent/algorithm/congestion-control';
import type { CoordinationEvent } from '../../host-agent/coordination/coordination-options';
import type { Delivery } from '../../host-agent/host/host-config';
import type { HostObserver } from '../node/host-node';
import type { SwitchObserver } from '../node/switch-node';

/** The events of a run in virtual time. */
export interface RunEvents extends HostObserver, SwitchObserver {
  /** The run begins. */
  start(): void;
  delivered(host: string, delivery: Delivery, now: Instant): void;
  /** The congestion control of a host's flow did something. PERF: an object per acknowledgement. */
  controlled(host: string, flow: number, event: CongestionEvent): void;
  /** A host did something with a flow that switches want something of. */
  coordinated(host: string, event: CoordinationEvent): void;
  /** A flow that is run here begins; flows are numbered as in the scenario. */
  flowBegan(now: Instant, flow: number): void;
  /** All bytes of the flow have arrived. */
  flowCompleted(at: Instant, flow: number): void;
  /** A link or the controller has changed the routes. */
  routesChanged(): void;
  /** Returns true if the run may end because the observer needs no more of it. */
  hasSeenEnough(): boolean;
}

/** Looks on at a run and changes nothing; has a method for each kind of event that it wants to see. */
export type RunObserver = Partial<RunEvents>;
