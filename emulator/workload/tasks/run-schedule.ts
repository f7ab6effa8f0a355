import { assert } from '../../../common/assert';
import type { Bytes, Instant } from '../../../common/units/units';
import type { Connection } from '../connection';
import { MessageSchedule } from '../message-schedule';
import type { DueMessage, OfferedMessage, Schedule, Span } from '../message-schedule';
import type { PlacedTrace } from './placed-trace';
import { TaskSchedule } from './task-schedule';

interface Part {
  readonly schedule: TaskSchedule;
  /** First of its wake-ups, which are numbered behind all connections of the run. */
  readonly firstWake: number;
}

/** The schedule of a run: messages that wait for others, and the tasks of traces. */
export class RunSchedule implements Schedule {
  readonly #messages: MessageSchedule;
  readonly #parts: readonly Part[];
  /** PERF: asked per packet. */
  readonly #byConnection: (TaskSchedule | undefined)[] = [];

  constructor(connections: readonly Connection[], traces: readonly PlacedTrace[]) {
    this.#messages = new MessageSchedule(connections);
    let firstWake = connections.length;
    this.#parts = traces.map(({ planned, first, startUs, local }) => {
      const schedule = new TaskSchedule({ planned, first, firstWake, startUs, local });
      const behind = first + planned.connections.length;
      for (let i = first; i < behind; i++) this.#byConnection[i] = schedule;
      const part = { schedule, firstWake };
      firstWake += 2 * planned.plan.count + 1;
      return part;
    });
  }

  get tasks(): readonly TaskSchedule[] {
    return this.#parts.map(({ schedule }) => schedule);
  }

  start(): DueMessage[] {
    return [...this.#messages.start(), ...this.tasks.flatMap((each) => each.start())];
  }

  offer(now: Instant, connection: number): OfferedMessage {
    return this.#of(connection).offer(now, connection);
  }

  nextArrival(connection: number): Bytes {
    return this.#of(connection).nextArrival(connection);
  }

  delivered(now: Instant, connection: number, bytes: Bytes): DueMessage[] {
    return this.#of(connection).delivered(now, connection, bytes);
  }

  /** A wake-up is due that was announced. */
  wake(now: Instant, number: number): DueMessage[] {
    const part = this.#parts.findLast(({ firstWake }) => number >= firstWake);
    assert(part !== undefined, 'wake-ups are those of traces');
    return part.schedule.wake(now, number - part.firstWake);
  }

  span(connection: number): Span {
    return this.#of(connection).span(connection);
  }

  #of(connection: number): MessageSchedule | TaskSchedule {
    return this.#byConnection[connection] ?? this.#messages;
  }
}
