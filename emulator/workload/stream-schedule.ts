import { assert } from '../../common/assert';
import type { Bytes, Instant } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import type { Connection } from './connection';
import { startUsOf } from './merge-by-start';
import type { DueMessage, OfferedMessage, Schedule, Span } from './message-schedule';
import type { StreamedFlow, TrafficStream } from './traffic-stream';

interface WorkloadProgress {
  from: Instant | undefined;
  /** When the last message so far has arrived. */
  to: Instant | undefined;
  arrived: number;
}

/** Schedules the flows of a stream: announces one at a time, and holds those only which have not finished. */
export class StreamSchedule implements Schedule {
  readonly #rest: Iterator<StreamedFlow>;
  readonly #open = new Map<number, StreamedFlow>();
  readonly #workloads = new Map<number, WorkloadProgress>();
  readonly #counts: readonly number[];

  constructor(stream: TrafficStream) {
    this.#rest = stream.flows()[Symbol.iterator]();
    this.#counts = stream.workloads.map(({ connections }) => connections);
  }

  start(): DueMessage[] {
    return this.#announce();
  }

  /** The connection of a flow that is announced and not closed. */
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

  /** Flows that have not been announced; the stream is at its end afterwards. */
  *rest(): Iterable<StreamedFlow> {
    for (let next = this.#rest.next(); next.done !== true; next = this.#rest.next()) {
      yield next.value;
    }
  }

  /** Forgets a flow that has ended. */
  close(index: number): void {
    this.#open.delete(index);
  }

  /** The span of a workload, whose end is known once all of its messages have arrived. */
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

  #flow(index: number): StreamedFlow {
    const flow = this.#open.get(index);
    assert(flow !== undefined, `flow ${index} is one of the stream that has not ended`);
    return flow;
  }
}
