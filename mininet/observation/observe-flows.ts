import { flowProcesses } from '../plan/run-processes';
import type { FlowProcess } from '../plan/run-processes';
import type { ExperimentCase } from '../experiment/load-experiment';
import type { ObservedFlow, TcpConnection } from './observation';
import type { Iperf3Report, SendReport } from './outputs';
import type { RunRecord } from '../plan/run-files';
import { Trace } from './trace';

const NS_PER_US = 1000;

/** Output files of a sending process; undefined for those that it did not write. */
export interface FlowOutput {
  readonly report: { kind: 'hpcc'; send: SendReport } | { kind: 'iperf3'; client: Iperf3Report };
  /** Times count from readiness. */
  readonly trace: Trace;
}

/** Flows with all instants on the axis of the run. Processes without output are left out. */
export function observeFlows(
  own: ExperimentCase,
  run: RunRecord,
  outputOf: (process: FlowProcess) => FlowOutput | undefined,
): ObservedFlow[] {
  const flows: ObservedFlow[] = [];
  for (const sender of flowProcesses(own)) {
    const output = outputOf(sender);
    if (output === undefined) continue;
    const record = run.processes.find(({ name }) => name === sender.name);
    const base = { number: flows.length + 1, sender };
    flows.push(
      output.report.kind === 'hpcc'
        ? hpccFlow(base, output.report.send, {
            trace: output.trace,
            endedAt: record?.endedSeconds ?? undefined,
          })
        : tcpFlow(base, output.report.client, record?.startedSeconds ?? sender.startsAt),
    );
  }
  return flows;
}

interface Base {
  readonly number: number;
  readonly sender: FlowProcess;
}

/**
 * The first update comes one round trip after the start, which is closer than any other clock; a
 * process without updates ends just after its flow.
 */
function hpccFlow(
  { number, sender }: Base,
  { intervals, sent, host, coordination }: SendReport,
  { trace, endedAt }: { readonly trace: Trace; readonly endedAt: number | undefined },
): ObservedFlow {
  const flow = sent.flows[0];
  const seconds = flow?.seconds ?? 0;
  const startsAt =
    trace.length === 0 ? (endedAt ?? sender.startsAt + seconds) - seconds : trace.seconds(0);
  return {
    number,
    sender,
    flowId: flow?.flow,
    startsAt,
    endsAt: startsAt + seconds,
    isComplete: flow?.isComplete ?? false,
    bytes: flow?.acknowledgedBytes ?? 0,
    retransmissions: flow?.segmentsRetransmitted ?? 0,
    timeouts: flow?.timeouts ?? 0,
    connection: undefined,
    uncontrolledSeconds: flow?.uncontrolledSeconds ?? 0,
    switchResponses: flow?.switchResponses,
    sha256: flow?.sha256,
    dataSent: host.dataSent,
    acksReceived: host.acksReceived,
    notifications: coordination,
    intervals: intervals.flat().map(({ fromSeconds, toSeconds, bytes }) => ({
      from: startsAt + fromSeconds,
      to: startsAt + toSeconds,
      bytes,
    })),
    trace,
  };
}

function tcpFlow(
  { number, sender }: Base,
  { start, intervals, end, error }: Iperf3Report,
  startedAt: number,
): ObservedFlow {
  const seconds = Math.max(0, ...intervals.map(({ sum }) => sum.end));
  return {
    number,
    sender,
    flowId: undefined,
    startsAt: startedAt,
    endsAt: startedAt + seconds,
    isComplete: error === undefined,
    bytes: end.sum_received?.bytes ?? end.sum_sent?.bytes ?? 0,
    retransmissions: end.sum_sent?.retransmits ?? 0,
    timeouts: undefined,
    connection: connectionOf({ start, end }),
    uncontrolledSeconds: 0,
    switchResponses: undefined,
    sha256: undefined,
    dataSent: 0,
    acksReceived: 0,
    notifications: undefined,
    intervals: intervals.map(({ sum }) => ({
      from: startedAt + sum.start,
      to: startedAt + sum.end,
      bytes: sum.bytes,
    })),
    trace: new Trace(),
  };
}

/** iperf3 has a second connection, for itself, whose round trips it does not tell. */
function connectionOf({
  start,
  end,
}: Pick<Iperf3Report, 'start' | 'end'>): TcpConnection | undefined {
  const port = start?.connected?.[0]?.local_port;
  const us = end.streams?.[0]?.sender?.max_rtt;
  return port === undefined || us === undefined
    ? undefined
    : { port, longestRttNs: us * NS_PER_US };
}
