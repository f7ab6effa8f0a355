import type { Registry } from 'prom-client';
import { byLabel, counters, gauges, newRegistry } from '../../../common/io/metric-families';
import type { ReceivedFigures } from '../../traffic/flow-meters';
import type { FlowSample } from '../../traffic/traffic-report';
import type { HostCounters } from '../../host/host-events';
import type { PortCounters } from '../net/frame-port';

/** Sources of the metrics, read at each scrape. */
export interface MetricsSource {
  readonly host: () => HostCounters;
  readonly port: () => PortCounters;
  readonly flows: () => readonly FlowSample[];
  /** Flows of other hosts whose algorithm runs here. */
  readonly controlled: () => readonly ReceivedFigures[];
  /** Hosts that have settings otherwise which both need alike. */
  readonly differing: () => readonly PeerDifferences[];
  /** Pauses of the link; undefined where the host does not see them. */
  readonly paused?: () => PausedCounts | undefined;
}

/** A peer, and the settings that it has otherwise. */
interface PeerDifferences {
  readonly peer: string;
  readonly differences: readonly { readonly setting: string }[];
}

/** Effects of pauses on a host. */
export interface PausedCounts {
  readonly pauses: number;
  /** Resumes before the time of the pause was over. */
  readonly resumes: number;
  /** Times that the watchdog found that pauses let nothing go. */
  readonly storms: number;
  readonly seconds: number;
}

/** All metrics, read at each scrape. */
export function metricsRegistry(source: MetricsSource): Registry {
  const registry = newRegistry();
  counters(registry, {
    name: 'hpcc_agent_frames_total',
    help: 'Frames of the interface by what became of them',
    labels: ['kind'],
    read: () => {
      const { late: _late, ...frames } = source.port();
      return byLabel('kind', Object.entries(frames));
    },
  });
  counters(registry, {
    name: 'hpcc_agent_packets_total',
    help: 'Packets of the transport by kind',
    labels: ['kind'],
    read: () => {
      const { dataSent, acksSent, dataReceived, acksReceived, acksLate } = source.host();
      const { reorderedPackets: dataReordered, trimmedReceived: dataTrimmed } = source.host();
      const received = { dataReceived, acksReceived, acksLate, dataReordered, dataTrimmed };
      const all = { dataSent, acksSent, ...received };
      return byLabel('kind', Object.entries(all));
    },
  });
  counters(registry, {
    name: 'hpcc_agent_packets_rejected_total',
    help: 'Packets that were dropped, by reason',
    labels: ['reason'],
    read: () => byLabel('reason', Object.entries(source.host().packetsRejected)),
  });
  counters(registry, {
    name: 'hpcc_agent_bytes_delivered_total',
    help: 'Payload bytes that arrived in order',
    labels: [],
    read: () => [[{}, source.host().bytesDelivered]],
  });
  gauges(registry, {
    name: 'hpcc_agent_settings_differ',
    help: 'Settings that a peer has otherwise although both need them alike: 1 each',
    labels: ['peer', 'setting'],
    read: () =>
      source
        .differing()
        .flatMap(({ peer, differences }) =>
          differences.map(({ setting }): [Record<'peer' | 'setting', string>, number] => [
            { peer, setting },
            1,
          ]),
        ),
  });
  pauseCounters(registry, () => source.paused?.());
  flowGauges(registry, source);
  return registry;
}

function pauseCounters(registry: Registry, read: () => PausedCounts | undefined): void {
  counters(registry, {
    name: 'hpcc_agent_pauses_total',
    help: 'Times that the switch has stopped the host, or let it go on before its time was over',
    labels: ['kind'],
    read: () => {
      const { pauses = 0, resumes = 0 } = read() ?? {};
      return [
        [{ kind: 'pause' }, pauses],
        [{ kind: 'resume' }, resumes],
      ];
    },
  });
  counters(registry, {
    name: 'hpcc_agent_pause_storms_total',
    help: 'Times that pauses let nothing of the host go, as the watchdog found',
    labels: [],
    read: () => [[{}, read()?.storms ?? 0]],
  });
  counters(registry, {
    name: 'hpcc_agent_paused_seconds_total',
    help: 'How long the switch has stopped the host',
    labels: [],
    read: () => [[{}, read()?.seconds ?? 0]],
  });
}

/** Gauges of a flow by the names of {@link FlowSample}; of another host's flow those that it has too. */
const FLOW_GAUGES = {
  acknowledgedBytes: ['hpcc_flow_acknowledged_bytes', 'Payload bytes that were acknowledged'],
  segmentsRetransmitted: ['hpcc_flow_retransmitted_segments', 'Segments that were sent again'],
  windowBytes: ['hpcc_flow_window_bytes', 'Payload bytes that may be unacknowledged'],
  pacingRate: ['hpcc_flow_pacing_bytes_per_second', 'Rate that packets are paced at'],
  normalizedInflight: ['hpcc_flow_normalized_inflight', 'U, where the algorithm runs here'],
  windowUpdates: ['hpcc_flow_window_updates', 'Windows that came from telemetry'],
  uncontrolledSeconds: ['hpcc_flow_uncontrolled_seconds', 'Time of sending without control'],
  queueBytes: ['hpcc_flow_queue_bytes', 'Longest queue of the path in the latest telemetry'],
  hops: ['hpcc_flow_hops', 'Links of the path in the latest telemetry'],
} as const;

/** Gauges that only the sender of a flow has. */
const OF_SENDERS: readonly string[] = ['acknowledgedBytes', 'segmentsRetransmitted'];

/** Figures that are not known have no gauge. A flow of another host is told from own ones by its source. */
function flowGauges(registry: Registry, { flows, controlled }: MetricsSource): void {
  for (const [field, [name, help]] of Object.entries(FLOW_GAUGES)) {
    const key = field as keyof typeof FLOW_GAUGES;
    // Rates are bits per second inside, and bytes per second by the rules of Prometheus.
    const scale = key === 'pacingRate' ? 1 / 8 : 1;
    const isOfSender = OF_SENDERS.includes(field);
    const read = () =>
      [...flows(), ...(isOfSender ? [] : controlled())].flatMap(
        (figures): [FlowLabels, number][] => {
          const value = (figures as Partial<Record<typeof key, number | null>>)[key] ?? null;
          const labels = {
            flow: String(figures.flow),
            ...('source' in figures && { source: figures.source }),
          };
          return value === null ? [] : [[labels, value * scale]];
        },
      );
    gauges(registry, { name, help, labels: isOfSender ? ['flow'] : ['flow', 'source'], read });
  }
}

type FlowLabels = { readonly flow: string; readonly source?: string };
