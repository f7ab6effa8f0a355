import type { Bytes, Duration, Instant } from '../../common/units/units';
import type { ChannelLedger } from '../network/link-rows';
import type { Report } from '../record/invariants';
import type { Traffic } from '../record/traffic';
import { addReordering, NO_REORDERING } from '../result/reordering';
import type { Reordering } from '../result/reordering';
import type { FlowSeries } from '../result/result';
import type { Timelines } from '../result/timelines';
import type { RecordedPort } from '../record/recorder';
import type { SwitchNode } from '../node/switch-node';
import { coordinationOutcome } from './coordination-outcome';
import type { CoordinationOutcome } from './coordination-outcome';
import { flowOutcome } from './flow-outcome';
import type { FlowOutcome } from './flow-outcome';
import type { Simulation } from './simulation';

/**
 * Outcome of a run, or of the part that a worker has run: plain data that threads can send each
 * other. Lists are in the order of the scenario or of the plan; values of nodes that are not run
 * here are as at the beginning.
 */
export interface Outcome {
  readonly endedAt: Instant;
  /** Events of each target of the queue. */
  readonly events: readonly number[];
  readonly flows: readonly FlowOutcome[];
  readonly links: readonly LinkOutcome[];
  readonly ports: readonly PortOutcome[];
  /** Samples of each port's queue, and between them. */
  readonly samples: number;
  readonly queueInterval: Duration;
  /** Interval between samples of flows. */
  readonly flowInterval: Duration;
  readonly switches: readonly SwitchOutcome[];
  readonly series: readonly FlowSeries[];
  readonly timelines: Timelines;
  readonly traffic: Traffic;
  readonly reordering: Reordering;
  /** Headers of data that was cut, as hosts received them. */
  readonly trimmed: number;
  /** Wire bytes of the largest acknowledgement. */
  readonly ackBytesMax: Bytes;
  readonly hostRejections: Readonly<Record<string, number>>;
  readonly telemetryRejections: Readonly<Record<string, number>>;
  readonly telemetryRecords: number;
  /** Present only where switches coordinate. */
  readonly coordination?: CoordinationOutcome | undefined;
  readonly reports: readonly Report[];
  /** Reports that were left out. */
  readonly omitted: number;
}

/** Outcome of one direction of a link. */
export interface LinkOutcome {
  readonly ledger: Readonly<ChannelLedger>;
  readonly bytesOnTheWay: Bytes;
  readonly forgeries: number;
}

export interface PortOutcome {
  readonly peak: { readonly bytes: Bytes; readonly at: Instant };
  /** Lengths above 0: numbers of samples and bytes in turn. */
  readonly samples: Uint32Array;
}

/** Counters that are not 0, by name. */
export interface SwitchOutcome {
  readonly drops: Readonly<Record<string, number>>;
  readonly programs: Readonly<Record<string, number>>;
}

/** Looks at a run, which it does not change. */
export function outcomeOf(simulation: Simulation): Outcome {
  const { time, recorder, runner, ports, network, checker, traffic } = simulation;
  return {
    endedAt: simulation.endedAt,
    events: time.handled,
    flows: runner.flows.map((flow, i) => ({
      ...flowOutcome(flow),
      span: runner.span(i),
    })),
    links: linksOf(simulation),
    ports: recorder.queueSamples.map((samples, i) => ({ peak: peakOf(ports[i]), samples })),
    samples: recorder.samples,
    queueInterval: recorder.queueInterval,
    flowInterval: recorder.flowInterval,
    switches: Array.from(network.switches.values(), switchOutcome),
    series: recorder.series,
    timelines: simulation.timelines.timelines(),
    traffic: traffic.traffic,
    reordering: reorderingOf(simulation),
    trimmed: trimmedOf(simulation),
    ackBytesMax: traffic.ackBytesMax,
    hostRejections: runner.rejections,
    telemetryRejections: simulation.telemetryRejections,
    telemetryRecords: checker.telemetryRecords,
    coordination: coordinationOutcome(simulation),
    reports: checker.reports,
    omitted: checker.omitted,
  };
}

function linksOf({ network }: Simulation): LinkOutcome[] {
  return network.channels.map((channel) => ({
    ledger: channel.ledger.figures(),
    bytesOnTheWay: channel.bytesOnTheWay,
    forgeries: channel.forger?.forgeries ?? 0,
  }));
}

function reorderingOf({ network }: Simulation): Reordering {
  const hosts = Array.from(network.hosts.values(), ({ agent }) => agent.counters());
  return hosts
    .map(({ reorderedPackets: packets, reorderedBytes: bytes, reorderedBytesMax: bytesMax }) => ({
      packets,
      bytes,
      bytesMax,
    }))
    .reduce(addReordering, NO_REORDERING);
}

function trimmedOf({ network }: Simulation): number {
  let headers = 0;
  for (const { agent } of network.hosts.values()) headers += agent.counters().trimmedReceived;
  return headers;
}

function peakOf(port: RecordedPort | undefined): PortOutcome['peak'] {
  return port?.node.device.queuePeak(port.port) ?? { bytes: 0, at: 0 };
}

/** Counters per port or per flow would fill pages. */
const CELLS_MAX = 16;

function switchOutcome({ device }: SwitchNode): SwitchOutcome {
  const drops = Object.entries(device.counters().drops).filter(([, count]) => count > 0);
  const counters = [...(device.pipeline?.counters.values() ?? [])];
  const programs = counters
    .filter(({ size }) => size <= CELLS_MAX)
    .flatMap((counter) =>
      Array.from({ length: counter.size }, (_, i): [string, number] => [
        `${counter.name}[${i}]`,
        counter.read(i)?.packets ?? 0,
      ]),
    )
    .filter(([, packets]) => packets > 0);
  return { drops: Object.fromEntries(drops), programs: Object.fromEntries(programs) };
}
