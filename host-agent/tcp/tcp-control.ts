import { WireFault } from '../../common/wire/fault';
import type { Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import { ClassIds } from './tc-commands';
import { connectionId, connectionName, hasPort } from './connection-key';
import type { ObservedSegment } from './observed-segment';
import { FLAG_RST, observeSegment } from './observed-segment';
import { PathMemory } from './path-memory';
import { parseTelemetry, responseFrame } from './probe-frame';
import type { QueueSummary } from './queue-statistics';
import { beginsConnection } from './segment-tracker';
import { TcpConnection } from './tcp-connection';
import type { TcpShared } from './tcp-connection';
import type { TcpOutputs, TcpSettings } from './tcp-settings';

/** Summaries of ended connections that are kept, the last ones of many. */
const ENDED_MAX = 100;
/** Connections of one host that are looked at; others are left alone. */
const CONNECTIONS_MAX = 10_000;
/** Makes the first probes of successive connections differ. */
const ID_STRIDE = 977;

export interface TcpCounters {
  readonly connectionsSeen: number;
  readonly connectionsEnded: number;
  readonly probesSent: number;
  readonly probesLost: number;
  readonly responsesReceived: number;
  readonly responsesUnexpected: number;
  readonly probesAnswered: number;
  readonly framesRejected: number;
  readonly rateChanges: number;
}

/** Summary of one connection; its queues are those that telemetry has shown. */
export interface ConnectionSummary {
  readonly connection: string;
  /** Payload that the peer has acknowledged. */
  readonly bytes: Bytes;
  readonly isControlled: boolean;
  readonly rateBps: number | null;
  readonly windowBytes: number | null;
  readonly rttUs: { readonly min: number; readonly mean: number; readonly p99: number };
  readonly queueBytes: QueueSummary;
  readonly probesSent: number;
  readonly probesLost: number;
  readonly rateChanges: number;
}

type Totals = Pick<TcpCounters, 'probesSent' | 'probesLost' | 'rateChanges'>;

/** All connections of a host under HPCC++, and the answers to those of other hosts. */
export class TcpControl {
  readonly #settings: TcpSettings;
  readonly #outputs: TcpOutputs;
  readonly #shared: TcpShared;
  readonly #connections = new Map<string, TcpConnection>();
  readonly #ended: ConnectionSummary[] = [];
  #totals: Totals = { probesSent: 0, probesLost: 0, rateChanges: 0 };
  #firstId: number;
  #seen = 0;
  #endedCount = 0;
  #answered = 0;
  #responses = 0;
  #unexpected = 0;
  #rejected = 0;

  constructor(settings: TcpSettings, outputs: TcpOutputs) {
    this.#settings = settings;
    this.#outputs = outputs;
    this.#firstId = settings.firstProbeId;
    const classIds = new ClassIds(settings.connectionsMax);
    this.#shared = { settings, outputs, paths: new PathMemory(), classIds };
  }

  get size(): number {
    return this.#connections.size;
  }

  /** An ordinary TCP segment arrived; `frame` may be cut behind its headers. */
  handleSegment(now: Instant, frame: Uint8Array): void {
    const segment = observeSegment(frame);
    if (segment === undefined || !hasPort(segment.key, this.#settings.ports)) return;
    const id = connectionId(segment.key);
    const known = this.#connections.get(id);
    if (known !== undefined && !beginsConnection(segment)) {
      known.handleSegment(now, segment);
      return;
    }
    if (known !== undefined) this.#end(id, known);
    this.#note(now, id, segment);
  }

  /** A frame with the DSCP of telemetry arrived: a probe to answer, or an answer. */
  handleTelemetry(now: Instant, frame: Uint8Array): void {
    const telemetry = parseTelemetry(frame);
    if (telemetry === undefined || telemetry instanceof WireFault) {
      this.#rejected++;
      return;
    }
    if (!telemetry.isResponse) {
      this.#answer(frame);
      return;
    }
    this.#responses++;
    const connection = this.#connections.get(connectionId(telemetry.key));
    if (connection === undefined) this.#unexpected++;
    else connection.handleResponse(now, telemetry);
    connection?.handleTimer(now);
  }

  /** PERF: linear in the connections, some ten nanoseconds each. */
  handleTimers(now: Instant): void {
    for (const [id, connection] of this.#connections) {
      if (now >= connection.tracker.deadAt) this.#end(id, connection);
      else connection.handleTimer(now);
    }
  }

  /** Time at which {@link handleTimers} has something to do, unless something arrives before. */
  nextAt(now: Instant): Instant {
    let next = Infinity;
    for (const connection of this.#connections.values()) {
      next = Math.min(next, connection.nextAt(now), connection.tracker.deadAt);
    }
    return next;
  }

  /** Gives all connections back to the kernel. */
  endAll(): void {
    for (const [id, connection] of this.#connections) this.#end(id, connection);
  }

  counters(): TcpCounters {
    let totals = this.#totals;
    for (const { counters } of this.#connections.values()) totals = sum(totals, counters);
    return {
      ...totals,
      connectionsSeen: this.#seen,
      connectionsEnded: this.#endedCount,
      responsesReceived: this.#responses,
      responsesUnexpected: this.#unexpected,
      probesAnswered: this.#answered,
      framesRejected: this.#rejected,
    };
  }

  /** Summaries of the connections that sent probes: the last hundred that have ended, and all others. */
  summaries(): ConnectionSummary[] {
    return [...this.#ended, ...this.current()];
  }

  current(): ConnectionSummary[] {
    return [...this.#connections.values()].map(summary).filter(({ probesSent }) => probesSent > 0);
  }

  #note(now: Instant, id: string, segment: ObservedSegment): void {
    if ((segment.flags & FLAG_RST) !== 0 || this.#connections.size >= CONNECTIONS_MAX) return;
    this.#seen++;
    this.#firstId += ID_STRIDE;
    const connection = new TcpConnection(now, segment, this.#shared, this.#firstId);
    this.#connections.set(id, connection);
  }

  #answer(frame: Uint8Array): void {
    const response = responseFrame(frame);
    if (response === undefined || response instanceof WireFault) return;
    this.#answered++;
    this.#outputs.sendFrame(response);
  }

  #end(id: string, connection: TcpConnection): void {
    const last = summary(connection);
    connection.end();
    this.#connections.delete(id);
    this.#totals = sum(this.#totals, connection.counters);
    this.#endedCount++;
    if (last.probesSent > 0) this.#ended.push(last);
    if (this.#ended.length > ENDED_MAX) this.#ended.shift();
  }
}

const sum = (one: Totals, other: Totals): Totals => ({
  probesSent: one.probesSent + other.probesSent,
  probesLost: one.probesLost + other.probesLost,
  rateChanges: one.rateChanges + other.rateChanges,
});

function summary(connection: TcpConnection): ConnectionSummary {
  const rtt = connection.rtts.summary();
  const microseconds = (time: Duration): number => Math.round(time / PS_PER_US);
  return {
    connection: connectionName(connection.key),
    bytes: connection.tracker.acknowledgedBytes,
    isControlled: connection.rate !== undefined,
    rateBps: connection.rate ?? null,
    windowBytes: connection.windowBytes ?? null,
    rttUs: {
      min: microseconds(rtt.min),
      mean: microseconds(rtt.mean),
      p99: microseconds(rtt.p99),
    },
    queueBytes: connection.queues.summary(),
    ...connection.counters,
  };
}
