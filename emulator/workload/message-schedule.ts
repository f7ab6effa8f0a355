import { assert } from '../../common/assert';
import type { Bytes, Instant } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import type { Connection, Message } from './connection';

/** The next message of a connection may be sent from an instant on. */
export interface DueMessage {
  readonly connection: number;
  readonly at: Instant;
  /** Host whose time it is, where `connection` is the number of a wake-up. */
  readonly wakes?: string;
}

/** A message that is sent now. */
export interface OfferedMessage {
  readonly bytes: Bytes;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Messages that may be sent next. */
  readonly due: DueMessage[];
}

/** When the first message of a connection was sent and the last one had arrived, as far as that has happened. */
export interface Span {
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
}

/** Which messages of a run are due; connections are numbered from 0. */
export interface Schedule {
  /** Messages that may be sent at the beginning of the run. */
  start(): DueMessage[];
  /** The message that was announced is sent now. */
  offer(now: Instant, connection: number): OfferedMessage;
  /** Bytes of the connection at which the next message is complete. PERF: called per packet. */
  nextArrival(connection: number): Bytes;
  /** `bytes` of the connection have arrived in order so far. Returns what may be sent now. */
  delivered(now: Instant, connection: number, bytes: Bytes): DueMessage[];
}

interface Progress {
  readonly connection: Connection;
  /** Ends of the messages, in bytes of the connection. */
  readonly ends: readonly Bytes[];
  /** Messages that have been handed out as due, and that have been sent. */
  announced: number;
  offered: number;
  arrived: number;
  /** Arrival times of messages, in order. */
  readonly arrivals: Instant[];
  firstOfferedAt: Instant | undefined;
}

/** Schedules messages that wait for the arrival of others. Each message is announced once. */
export class MessageSchedule implements Schedule {
  readonly #connections: readonly Progress[];
  /** Connections whose next message may wait for one of this connection. */
  readonly #dependants = new Map<number, Set<number>>();

  constructor(connections: readonly Connection[]) {
    this.#connections = connections.map((connection, number) => {
      for (const { after } of connection.messages) {
        for (const before of after) this.#dependantsOf(before.connection).add(number);
      }
      return {
        connection,
        ends: endsOf(connection.messages),
        announced: 0,
        offered: 0,
        arrived: 0,
        arrivals: [],
        firstOfferedAt: undefined,
      };
    });
  }

  start(): DueMessage[] {
    return this.#connections.flatMap((_, number) => this.#announce(number, ORIGIN));
  }

  /** The next message may be due already. */
  offer(now: Instant, number: number): OfferedMessage {
    const progress = this.#progress(number);
    assert(progress.offered < progress.announced, 'only what is due is sent');
    const message = progress.connection.messages[progress.offered];
    assert(message !== undefined, 'announced messages exist');
    const isFirst = progress.offered === 0;
    progress.offered++;
    if (isFirst) progress.firstOfferedAt = now;
    const isLast = progress.offered === progress.connection.messages.length;
    return { bytes: message.bytes, isFirst, isLast, due: this.#announce(number, now) };
  }

  nextArrival(number: number): Bytes {
    const { ends, arrived } = this.#progress(number);
    return ends[arrived] ?? Infinity;
  }

  delivered(now: Instant, number: number, bytes: Bytes): DueMessage[] {
    const progress = this.#progress(number);
    const before = progress.arrived;
    while ((progress.ends[progress.arrived] ?? Infinity) <= bytes) {
      progress.arrived++;
      progress.arrivals.push(now);
    }
    if (progress.arrived === before) return [];
    const waiting = [...(this.#dependants.get(number) ?? [])];
    return waiting.flatMap((dependant) => this.#announce(dependant, now));
  }

  span(number: number): Span {
    const { firstOfferedAt, arrivals, ends } = this.#progress(number);
    const isComplete = arrivals.length === ends.length;
    return { from: firstOfferedAt, to: isComplete ? arrivals.at(-1) : undefined };
  }

  /** A connection has one message at a time on its way to being sent. */
  #announce(number: number, now: Instant): DueMessage[] {
    const progress = this.#progress(number);
    const message = progress.connection.messages[progress.announced];
    if (message === undefined || progress.announced > progress.offered) return [];
    if (!message.after.every((id) => this.#progress(id.connection).arrived > id.message)) return [];
    progress.announced++;
    const earliest = ORIGIN + microseconds(message.startUs);
    return [{ connection: number, at: Math.max(earliest, now + microseconds(message.delayUs)) }];
  }

  #progress(number: number): Progress {
    const progress = this.#connections[number];
    assert(progress !== undefined, 'connections are those of the schedule');
    return progress;
  }

  #dependantsOf(number: number): Set<number> {
    const known = this.#dependants.get(number);
    if (known !== undefined) return known;
    const fresh = new Set<number>();
    this.#dependants.set(number, fresh);
    return fresh;
  }
}

function endsOf(messages: readonly Message[]): Bytes[] {
  let end = 0;
  return messages.map(({ bytes }) => (end += bytes));
}
