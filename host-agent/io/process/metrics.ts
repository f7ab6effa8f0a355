import { Registry } from 'prom-client';
import { byLabel, counters, gauges } from '../../../common/io/metric-families';
import type { FlowSample } from '../../traffic/traffic-report';
import type { HostCounters } from '../../host/host-events';
import type { PortCounters } from '../net/frame-port';

/** What the metrics are read from, whenever somebody asks. */
export interface MetricsSource {
  readonly host: () => HostCounters;
  readonly port: () => PortCounters;
  readonly flows: () => readonly FlowSample[];
  /** How often and how long the link was paused; undefined where the host does not hear of it. */
  readonly paused?: () => PausedCounts | undefined;
}

/** What pauses have made of a host. */
export interface PausedCounts {
  readonly pauses: number;
  /** Before the time of the pause was over. */
  readonly resumes: number;
  readonly seconds: number;
}

/** All metrics, read at each scrape. */
export function metricsRegistry(source: MetricsSource): Registry {
  const registry = new Registry();
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
      const all = { dataSent, acksSent, dataReceived, acksReceived, acksLate };
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
  pauseCounters(registry, () => source.paused?.());
  flowGauges(registry, source.flows);
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
    name: 'hpcc_agent_paused_seconds_total',
    help: 'How long the switch has stopped the host',
    labels: [],
    read: () => [[{}, read()?.seconds ?? 0]],
  });
}

/** What a flow's sender knows, by the names of {@link FlowSample}. */
const FLOW_GAUGES = {
  acknowledgedBytes: ['hpcc_flow_acknowledged_bytes', 'Payload bytes that were acknowledged'],
  segmentsRetransmitted: ['hpcc_flow_retransmitted_segments', 'Segments that were sent again'],
  windowBytes: ['hpcc_flow_window_bytes', 'Payload bytes that may be unacknowledged'],
  pacingRate: ['hpcc_flow_pacing_bytes_per_second', 'Rate that packets are paced at'],
  queueBytes: ['hpcc_flow_queue_bytes', 'Longest queue of the path in the latest telemetry'],
  hops: ['hpcc_flow_hops', 'Links of the path in the latest telemetry'],
} as const;

function flowGauges(registry: Registry, flows: MetricsSource['flows']): void {
  for (const [field, [name, help]] of Object.entries(FLOW_GAUGES)) {
    const key = field as keyof typeof FLOW_GAUGES;
    // Rates are bits per second inside, and bytes per second by the rules of Prometheus.
    const scale = key === 'pacingRate' ? 1 / 8 : 1;
    const read = (): [{ flow: string }, number][] =>
      flows().map((sample) => [{ flow: String(sample.flow) }, sample[key] * scale]);
    gauges(registry, { name, help, labels: ['flow'], read });
  }
}
