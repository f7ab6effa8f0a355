import type { PortChange } from '../intent/ports';
import type { QueueSetting } from '../intent/queues';
import { changesOf } from './diff';
import type { Stages } from './diff';

/** Changes for one switch. */
export interface SwitchPlan {
  readonly switch: string;
  /** Reason to load the program, which clears all state; absent when it runs already. */
  readonly load?: ProgramLoad;
  /** Updates over P4Runtime. */
  readonly stages: Stages;
  /** Settings over Thrift, which cannot be read back. */
  readonly queues: readonly QueueSetting[];
  /** Leaves of its ports over gNMI. */
  readonly ports: readonly PortChange[];
}

export interface ProgramLoad {
  readonly program: string;
  readonly reason: 'the switch has no program' | 'the switch runs another program';
}

export interface Tally {
  readonly insert: number;
  readonly modify: number;
  readonly delete: number;
}

/** True if there is nothing to do. */
export function isEmpty({ load, stages, queues, ports }: SwitchPlan): boolean {
  return load === undefined && [stages, queues, ports].every(({ length }) => length === 0);
}

/** Numbers of updates by type. */
export function tally(stages: Stages): Tally {
  const count = (type: keyof Tally): number =>
    changesOf(stages).filter((each) => each.type === type).length;
  return { insert: count('insert'), modify: count('modify'), delete: count('delete') };
}
