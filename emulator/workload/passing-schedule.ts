import type { Bytes } from '../../common/units/units';
import type { Connection } from './connection';
import type { DueMessage, Schedule, Span } from './message-schedule';

/** A flow that is made when it is due, with its place in the run. */
export interface PassingFlow {
  /** Number in the run, from 0. */
  readonly index: number;
  readonly connection: Connection;
  /** Place of its workload in the scenario; undefined for a flow that none has. */
  readonly workload: number | undefined;
}

/** A schedule of flows that are not held: each is known from its announcement to its end. */
export interface PassingSchedule extends Schedule {
  /** Number of flows of the run, as far as they are known. */
  readonly count: number;
  /** Payload of these. */
  readonly bytes: Bytes;
  /** True while it is not known whether more flows follow. */
  readonly isOpen: boolean;
  /** Wake-ups have this number, or a larger one; flows have smaller ones. */
  readonly firstWake: number;
  /** The connection of a flow that is announced and not closed. */
  connection(index: number): Connection;
  /** Forgets a flow that has ended. */
  close(index: number): void;
  /** An instant has come that was announced. */
  wake(now: number, number: number): DueMessage[];
  /** Flows that have not been announced; the schedule is at its end afterwards. */
  rest(): Iterable<PassingFlow>;
  /** The span of a workload, whose end is known once all of its messages have arrived. */
  workloadSpan(workload: number): Span;
}
