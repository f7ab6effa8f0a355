import { assert } from '../../common/assert';
import type { Bytes, Instant } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import type { Connection } from './connection';
import { startUsOf } from './merge-by-start';
import type { DueMessage, OfferedMessage, Span } from './message-schedule';
import type { PassingFlow, PassingSchedule } from './passing-schedule';
import type { StreamedWorkload } from './traffic-stream';

/** Flows of one message that wait for nothing. */
export interface FlowStream {
  readonly count: number;
  readonly bytes: Bytes;
  /** Workloads in the order of the scenario. */
  readonly workloads: readonly StreamedWorkload[];
  /** All flows in the order in which they start. */
  readonly flows: Iterable<PassingFlow>;
}

interface WorkloadProgress {
  from: Instant | undefined;
  /** When the last message so far has arrived. */
  to: Instant | undefined;
  arrived: number;
}

/** Schedules the flows of a stream: announces one at a time, and holds those only which have not finished. */
export class StreamSchedule implements PassingSchedule {
  readonly count: number;
  readonly bytes: Bytes;
  readonly isOpen = false;
  readonly firstWake: number;
  readonly #rest: Iterator<PassingFlow>;
  readonly #open = new Map<number, PassingFlow>();
  readonly #workloads = new Map<number, WorkloadProgress>();
  readonly #counts: readonly number[];

  constructor({ count, bytes, flows, workloads }: FlowStream) {
    this.count = count;
    this.bytes = bytes;
    this.firstWake = count;
    this.#rest = flows[Symbol.iterator]();
    this.#counts = workloads.map(({ connections }) => connections);
  }

  start(): DueMessage[] {
    return this.#announce();
  }

  connection(index: number): Connection {
    return this.#flow(index).connection;
  }

  offer(now: Instant, index: number): OfferedMessage {
    const { connection, workload } = this.#flow(index);
    if (workload !== undefined) this.#progress(workload).from ??= now;
    const bytes = connection.messages[0]?.bytes ?? 0;
    return { bytes, isFirst: true, isLast: true, due: this.#announce() };
  }

  nextArrival(index: number): Bytes {
    return this.#open.get(index)?.connection.messages[0]?.bytes ?? Infinity;
  }

  delivered(now: Instant, index: number): DueMessage[] {
    const { workload } = this.#flow(index);
    if (workload === undefined) return [];
    const progress = this.#progress(workload);
    progress.to = now;
    progress.arrived++;
    return [];
  }

  /** Nothing is woken: flows wait for nothing. */
  wake(): DueMessage[] {
    return [];
  }

  *rest(): Iterable<PassingFlow> {
    for (let next = this.#rest.next(); next.done !== true; next = this.#rest.next()) {
      yield next.value;
    }
  }

  close(index: number): void {
    this.#open.delete(index);
  }

  workloadSpan(workload: number): Span {
    const progress = this.#workloads.get(workload);
    const isComplete = progress?.arrived === this.#counts[workload];
    return { from: progress?.from, to: isComplete ? progress?.to : undefined };
  }

  #announce(): DueMessage[] {
    const next = this.#rest.next();
    if (next.done === true) return [];
    const { value } = next;
    this.#open.set(value.index, value);
    const at = ORIGIN + microseconds(startUsOf(value.connection));
    return [{ connection: value.index, at }];
  }

  #progress(workload: number): WorkloadProgress {
    const known = this.#workloads.get(workload) ?? { from: undefined, to: undefined, arrived: 0 };
    this.#workloads.set(workload, known);
    return known;
  }

  #flow(index: number): PassingFlow {
    const flow = this.#open.get(index);
    assert(flow !== undefined, `flow ${index} is one of the stream that has not ended`);
    return flow;
  }
}
