import type { ExpandedNetwork } from '../plan/network-text';
import type { ExperimentCase } from '../experiment/load-experiment';
import type { Collected } from './collected';
import type { AgentReport, NotificationCounts, SwitchCounters, TcpSample } from './outputs';
import type { Trace } from './trace';
import type { Plan } from '../plan/plan';
import type { CpuSample, PortSample, RunRecord } from '../plan/run-files';
import type { FlowProcess } from '../plan/run-processes';

/** Everything that a run has left behind. */
export interface Observation {
  readonly own: ExperimentCase;
  readonly network: ExpandedNetwork;
  readonly plan: Plan;
  readonly run: RunRecord;
  readonly cpu: readonly CpuSample[];
  readonly ports: readonly PortSample[];
  readonly flows: readonly ObservedFlow[];
  /** Samples of hosts that send TCP; seconds since readiness. */
  readonly tcpSamples: readonly TcpSample[];
  /** Sums of a collector of telemetry reports; undefined without one. */
  readonly collected: Collected | undefined;
  /** Reports by host. */
  readonly agents: ReadonlyMap<string, AgentReport>;
  /** Counters by switch; only embedded switches report them. */
  readonly switches: ReadonlyMap<string, SwitchCounters>;
}

/** One flow. Instants are seconds since readiness. */
export interface ObservedFlow {
  /** Number from 1 on, in the order of the processes. */
  readonly number: number;
  readonly sender: FlowProcess;
  /** Id on the wire of flows under HPCC++. */
  readonly flowId: number | undefined;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly isComplete: boolean;
  /** Payload that the sender knows to have arrived. */
  readonly bytes: number;
  readonly retransmissions: number;
  /** Times that all was sent again after a silence; undefined for TCP. */
  readonly timeouts: number | undefined;
  /** The connection of the kernel's TCP that carries data; undefined for others. */
  readonly connection: TcpConnection | undefined;
  /** Time for which it sent without control. */
  readonly uncontrolledSeconds: number;
  /** Responses of switches, where they alone control it. */
  readonly switchResponses: number | undefined;
  readonly sha256: string | undefined;
  readonly dataSent: number;
  /** Acknowledgements, and whatever else brought feedback. */
  readonly acksReceived: number;
  /** Notifications to the sender, where it obeys them. */
  readonly notifications: NotificationCounts | undefined;
  readonly intervals: readonly FlowBytes[];
  readonly trace: Trace;
}

/** A connection of the kernel's TCP, by the port that it comes from. */
export interface TcpConnection {
  readonly port: number;
  /** Longest smoothed round trip that it has had. */
  readonly longestRttNs: number;
}

/** Payload that arrived between two instants. */
export interface FlowBytes {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** Payload delivered between two instants; intervals that lie partly inside count partly. */
export function bytesBetween(
  { intervals }: Pick<ObservedFlow, 'intervals'>,
  from: number,
  to: number,
): number {
  return intervals.reduce((sum, part) => {
    const length = part.to - part.from;
    const inside = Math.min(to, part.to) - Math.max(from, part.from);
    return inside <= 0 || length <= 0 ? sum : sum + (part.bytes * inside) / length;
  }, 0);
}

/** Flows whose throughput counts: not those that only measure, at a limited rate. */
export const isMeasured = ({ sender: { flow } }: Pick<ObservedFlow, 'sender'>): boolean =>
  flow.kind === 'iperf3' || flow.rateBps === undefined;

/** Time from the first start to the last end of measured flows, without the warm-up. */
export function busyTime({ flows, own }: Observation): {
  readonly from: number;
  readonly to: number;
} {
  const measured = flows.filter(isMeasured);
  return {
    from: Math.min(...measured.map(({ startsAt }) => startsAt)) + own.document.warmUp,
    to: Math.max(...measured.map(({ endsAt }) => endsAt)),
  };
}
