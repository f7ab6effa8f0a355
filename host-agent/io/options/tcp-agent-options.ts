import type { BitsPerSecond } from '../../../common/units/units';
import type { LogLevel } from './agent-options';

/** Control of the kernel's TCP connections at an interface, as a command line describes it. */
export interface TcpAgentOptions {
  readonly interface: string;
  /** IPv4 address of the connections; that of the interface unless given. */
  readonly address?: string;
  /** In bits/s; what the interface says unless given. */
  readonly linkRate?: BitsPerSecond;
  /** T; measured unless given. */
  readonly baseRttUs?: number;
  readonly hopLimit: number;
  readonly targetUtilization?: number;
  readonly maxStage?: number;
  readonly expectedFlows?: number;
  /** Local or remote ports of the connections of interest; empty: all. */
  readonly ports: readonly number[];
  /** Probes leave at this interval, in ms, and nothing is controlled. */
  readonly observeEveryMs?: number;
  readonly rewritesWindows: boolean;
  /** File for one line of JSON per sample. */
  readonly trace?: string;
  /** Whom the process becomes when its sockets are open. */
  readonly user?: string;
  /** Where Prometheus finds metrics: HOST:PORT or PORT. */
  readonly metricsAddr?: string;
  readonly logLevel: LogLevel;
}
