import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import type { CongestionControlFactory } from '../algorithm/congestion-control';
import { PS_PER_SECOND, PS_PER_US } from '../../common/units/units';
import { connectionName } from './connection-key';
import type { ConnectionKey } from './connection-key';
import type { ProbeRole } from './probe-rounds';

export interface TcpSettings {
  /** Rate of the own link; connections are faster under no circumstances. */
  readonly linkRate: BitsPerSecond;
  /** T; measured per path unless given. */
  readonly baseRtt?: Duration | undefined;
  /** Switches that may add telemetry to a probe. */
  readonly hopLimit: number;
  readonly control: CongestionControlFactory;
  /** Local or remote ports of the connections of interest; empty: all. */
  readonly ports: ReadonlySet<number>;
  /** Probes leave at this interval and nothing is controlled. */
  readonly observeEvery?: Duration | undefined;
  /** True if windows are lowered too. */
  readonly rewritesWindows: boolean;
  /** Most connections that are controlled at the same time. */
  readonly connectionsMax: number;
  /** Numbers of first probes begin here. */
  readonly firstProbeId: number;
}

/** Actions of the control of connections on the host. The calls come in order. */
export interface TcpOutputs {
  sendFrame(frame: Uint8Array): void;
  /** DSCP of what the connection sends now. */
  classOf(connection: ConnectionKey): number;
  /** The connection's packets wait in a class of their own from now on. */
  openClass(connection: ConnectionKey, classId: number, rate: BitsPerSecond): void;
  setRate(classId: number, rate: BitsPerSecond): void;
  closeClass(connection: ConnectionKey, classId: number): void;
  /** Window fields of arriving segments are at most this. */
  limitWindow(connection: ConnectionKey, field: number): void;
  releaseWindow(connection: ConnectionKey): void;
  onSample(sample: TcpSample): void;
}

/** One look at the queues of a path. */
export interface TcpSample {
  readonly now: Instant;
  readonly connection: ConnectionKey;
  readonly role: ProbeRole;
  readonly rtt: Duration;
  /** Length of the longest queue. */
  readonly queueBytes: Bytes;
  /** Queueing delay of the path, all queues together. */
  readonly queueDelay: Duration;
  readonly hops: number;
  /** W, and the rate of the class; undefined while nothing controls the connection. */
  readonly windowBytes: Bytes | undefined;
  readonly rate: BitsPerSecond | undefined;
}

/**
 * A sample as a line of JSON: Unix time in seconds, other times in us, rates in bits/s, everything
 * else in bytes.
 * @param origin Unix time in seconds at instant 0.
 */
export function sampleLine(sample: TcpSample, origin: number): string {
  const { now, connection, role, rtt, queueBytes, queueDelay, hops, windowBytes, rate } = sample;
  const line = {
    t: Number((origin + now / PS_PER_SECOND).toFixed(6)),
    flow: connectionName(connection),
    role,
    windowBytes: windowBytes === undefined ? null : Math.round(windowBytes),
    rateBps: rate === undefined ? null : Math.round(rate),
    queueBytes,
    queueDelayUs: Number((queueDelay / PS_PER_US).toFixed(1)),
    rttUs: Number((rtt / PS_PER_US).toFixed(1)),
    hops,
  };
  return JSON.stringify(line) + '\n';
}
