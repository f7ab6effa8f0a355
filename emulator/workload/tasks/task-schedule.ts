import { assert } from '../../../common/assert';
import type { Bytes, Duration, Instant } from '../../../common/units/units';
import { ORIGIN, PS_PER_SECOND, microseconds } from '../../../common/units/units';
import { EventHeap } from '../../kernel/event-heap';
import type { DueMessage, OfferedMessage, Schedule, Span } from '../message-schedule';
import { COMPUTE, JOIN, LOCAL, TRANSFER, WAIT, countUp } from './task-plan';
import type { Edges } from './task-plan';
import type { PlannedTrace } from './expand-trace';

/** Links between ranks of one host. */
export interface LocalLinks {
  /** Bits per second. */
  readonly rate: number;
  readonly delay: Duration;
}

/** Beginning and end of every step, as far as they have happened. */
export interface StepTimes {
  /** NaN where it has not happened. */
  readonly begun: Float64Array;
  readonly done: Float64Array;
  /** Step whose end, or beginning, was the last one that each has waited for; -1: none. */
  readonly because: Int32Array;
}

interface FlowProgress {
  /** Steps that may be sent, in the order in which they became so; from `offered` on they have not been. */
  readonly ready: number[];
  offered: number;
  arrived: number;
  /** Bytes of the connection at the end of each message that was offered. */
  readonly ends: Bytes[];
  readonly messages: number;
}

export interface TaskScheduleOptions {
  readonly planned: PlannedTrace;
  /** Number of the trace's first connection in the run. */
  readonly first: number;
  /** Number from which on wake-ups are numbered. */
  readonly firstWake: number;
  readonly startUs: number;
  readonly local: LocalLinks;
}

/**
 * Does the tasks of a trace: a step begins at the instant at which all that it waits for has ended. Steps that
 * need a resource get it in the order in which they became ready.
 */
export class TaskSchedule implements Schedule {
  readonly times: StepTimes;
  readonly #o: TaskScheduleOptions;
  /** Number of steps that each still waits for. */
  readonly #left: Int32Array;
  readonly #free: Float64Array;
  readonly #flows: readonly FlowProgress[];
  /** Instants of wake-ups that have been announced: beginnings are numbered behind ends. */
  readonly #pending = new Map<number, Instant>();
  #done = 0;
  #due: DueMessage[] = [];
  /** Joins that are ready; a chain of them is as long as a trace. */
  #joins: number[] = [];

  constructor(options: TaskScheduleOptions) {
    const { plan, connections } = options.planned;
    this.#o = options;
    this.#left = plan.waits.slice();
    this.#free = new Float64Array(plan.resources);
    this.times = {
      begun: new Float64Array(plan.count).fill(NaN),
      done: new Float64Array(plan.count).fill(NaN),
      because: new Int32Array(plan.count).fill(-1),
    };
    this.#flows = connections.map(({ messages }) => ({
      ready: [],
      offered: 0,
      arrived: 0,
      ends: [],
      messages,
    }));
  }

  get planned(): PlannedTrace {
    return this.#o.planned;
  }

  /** When the tasks that wait for nothing begin. */
  get startsAt(): Instant {
    return ORIGIN + microseconds(this.#o.startUs);
  }

  /** When the last task was done; undefined where some are not. */
  get doneAt(): Instant | undefined {
    const { plan } = this.planned;
    if (this.#done < plan.count) return undefined;
    return this.times.done.reduce((last, at) => Math.max(last, at), this.startsAt);
  }

  start(): DueMessage[] {
    // Everything that waits for nothing becomes ready at one instant, in the order of the trace.
    return [this.#wakeUp(this.startsAt, 2 * this.planned.plan.count, 0)];
  }

  offer(now: Instant, connection: number): OfferedMessage {
    const flow = this.#flow(connection);
    const step = flow.ready[flow.offered];
    assert(step !== undefined, 'only what is ready is sent');
    const bytes = this.planned.plan.amount[step] as number;
    const isFirst = flow.offered === 0;
    flow.offered++;
    flow.ends.push((flow.ends.at(-1) ?? 0) + bytes);
    this.#begin(step, now);
    return { bytes, isFirst, isLast: flow.offered === flow.messages, due: this.#takeDue(now) };
  }

  nextArrival(connection: number): Bytes {
    const flow = this.#flow(connection);
    return flow.ends[flow.arrived] ?? Infinity;
  }

  delivered(now: Instant, connection: number, bytes: Bytes): DueMessage[] {
    const flow = this.#flow(connection);
    while ((flow.ends[flow.arrived] ?? Infinity) <= bytes) {
      this.#end(flow.ready[flow.arrived++] as number, now);
    }
    return this.#takeDue(now);
  }

  /** An instant has come that was announced. */
  wake(now: Instant, number: number): DueMessage[] {
    const { count } = this.planned.plan;
    this.#pending.delete(number);
    if (number === 2 * count) this.#startAll(now);
    else if (number >= count) this.#begin(number - count, now);
    else this.#end(number, now);
    return this.#takeDue(now);
  }

  span(connection: number): Span {
    const flow = this.#flow(connection);
    const { begun, done } = this.times;
    const [first, last] = [flow.ready[0], flow.ready[flow.messages - 1]];
    return {
      from: first === undefined || flow.offered === 0 ? undefined : begun[first],
      to: last === undefined || flow.arrived < flow.messages ? undefined : done[last],
    };
  }

  /** Does what needs no network any more. To be called when the run has ended. */
  finish(): void {
    const order = new EventHeap();
    for (let number = 0; number <= 2 * this.planned.plan.count; number++) order.add();
    for (const [number, at] of this.#pending) order.set(number, at);
    while (order.firstTime < Infinity) {
      const [at, number] = [order.firstTime, order.first];
      order.takeFirst();
      for (const due of this.wake(at, number)) {
        if (due.wakes === undefined) return;
        order.set(due.connection - this.#o.firstWake, due.at);
      }
    }
  }

  #startAll(now: Instant): void {
    const { count, waits } = this.planned.plan;
    for (let step = 0; step < count; step++) if (waits[step] === 0) this.#ready(step, now);
  }

  /** All that a step has waited for has happened. */
  #ready(step: number, now: Instant): void {
    const { kind, amount, connection, rank } = this.planned.plan;
    const length = amount[step] as number;
    switch (kind[step] as number) {
      case TRANSFER: {
        const number = this.#o.first + (connection[step] as number);
        this.#flow(number).ready.push(step);
        this.#due.push({ connection: number, at: now });
        return;
      }
      case JOIN:
        this.#joins.push(step);
        return;
      case WAIT:
        this.#occupy(step, { from: now, to: now + length, now });
        return;
      case COMPUTE:
        this.#take(step, now, length);
        return;
      default:
        assert(kind[step] === LOCAL, `step ${step} of rank ${rank[step]} is of a known kind`);
        this.#takeLocal(step, now, length);
    }
  }

  #take(step: number, now: Instant, duration: Duration): void {
    const resource = this.planned.plan.resource[step] as number;
    const from = Math.max(now, this.#free[resource] as number);
    this.#free[resource] = from + duration;
    this.#occupy(step, { from, to: from + duration, now });
  }

  #takeLocal(step: number, now: Instant, bytes: Bytes): void {
    const resource = this.planned.plan.resource[step] as number;
    const { rate, delay } = this.#o.local;
    const from = Math.max(now, this.#free[resource] as number);
    const sent = from + Math.round((bytes * 8 * PS_PER_SECOND) / rate);
    this.#free[resource] = sent;
    this.#occupy(step, { from, to: sent + delay, now });
  }

  #occupy(step: number, { from, to, now }: { from: Instant; to: Instant; now: Instant }): void {
    const { count } = this.planned.plan;
    if (from === now) this.#begin(step, now);
    else this.#due.push(this.#wakeUp(from, count + step, step));
    this.#due.push(this.#wakeUp(to, step, step));
  }

  #wakeUp(at: Instant, number: number, step: number): DueMessage {
    this.#pending.set(number, at);
    const { plan, hosts } = this.planned;
    const host = hosts[plan.rank[step] as number] as string;
    return { connection: this.#o.firstWake + number, at, wakes: host };
  }

  #begin(step: number, now: Instant): void {
    this.times.begun[step] = now;
    this.#release(this.planned.plan.begins, step, now);
  }

  #end(step: number, now: Instant): void {
    this.times.done[step] = now;
    this.#done++;
    this.#release(this.planned.plan.ends, step, now);
  }

  #release({ first, to }: Edges, step: number, now: Instant): void {
    const end = first[step + 1] as number;
    for (let i = first[step] as number; i < end; i++) {
      const next = to[i] as number;
      this.times.because[next] = step;
      if (countUp(this.#left, next, -1) === 0) this.#ready(next, now);
    }
  }

  #flow(connection: number): FlowProgress {
    const flow = this.#flows[connection - this.#o.first];
    assert(flow !== undefined, 'connections are those of the trace');
    return flow;
  }

  #takeDue(now: Instant): DueMessage[] {
    for (const step of this.#joins) {
      this.#begin(step, now);
      this.#end(step, now);
    }
    this.#joins = [];
    const due = this.#due;
    this.#due = [];
    return due;
  }
}
