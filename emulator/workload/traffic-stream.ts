import type { Bytes } from '../../common/units/units';
import type { Connection } from './connection';

/** A flow of a stream with its place in the scenario. */
export interface StreamedFlow {
  /** Number in the scenario, from 0. */
  readonly index: number;
  readonly connection: Connection;
  /** Place of its workload in the scenario; undefined for a flow that the scenario lists. */
  readonly workload: number | undefined;
}

/** Sums of a workload's flows. */
export interface StreamedWorkload {
  readonly name: string;
  readonly kind: string;
  readonly connections: number;
  readonly bytes: Bytes;
}

/** Source and destination of flows. */
export type HostPair = Pick<Connection, 'from' | 'to'>;

/** Flows of one message that wait for nothing, too many to be held in memory. */
export interface TrafficStream {
  readonly count: number;
  readonly bytes: Bytes;
  /** Pairs of hosts between which flows go, each once. */
  readonly pairs: readonly HostPair[];
  /** The first flows by number. */
  readonly first: readonly Connection[];
  /** Workloads in the order of the scenario. */
  readonly workloads: readonly StreamedWorkload[];
  /** All flows in the order in which they start, each time the same. */
  readonly flows: () => Iterable<StreamedFlow>;
}
