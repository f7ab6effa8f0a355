import type { Bytes } from '../../common/units/units';
import type { Connection } from './connection';
import type { PassingSchedule } from './passing-schedule';

/** Sums of a workload's flows. */
export interface StreamedWorkload {
  readonly name: string;
  readonly kind: string;
  readonly connections: number;
  readonly bytes: Bytes;
}

/** Source and destination of flows. */
export type HostPair = Pick<Connection, 'from' | 'to'>;

/** Traffic whose flows are not held in memory: they are too many, or not known before they begin. */
export interface TrafficStream {
  /** Pairs of hosts between which flows go, each once; of pairs with equal paths one is enough. */
  readonly pairs: readonly HostPair[];
  /** The first flows by number, which are held. */
  readonly first: readonly Connection[];
  /** Workloads in the order of the scenario. */
  readonly workloads: readonly StreamedWorkload[];
  /** Schedule of all flows, at their beginning. */
  readonly newSchedule: () => PassingSchedule;
}
