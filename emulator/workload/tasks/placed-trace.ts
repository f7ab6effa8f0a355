import type { PlannedTrace } from './expand-trace';
import type { LocalLinks } from './task-schedule';

/** A trace among the workloads of a scenario. */
export interface PlacedTrace {
  /** Name of the workload. */
  readonly name: string;
  readonly planned: PlannedTrace;
  /** Number of its first connection in the scenario. */
  readonly first: number;
  readonly startUs: number;
  readonly local: LocalLinks;
}
