import * as http from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';
import { InputError } from '../../../common/errors';
import type { FlowSample } from '../../traffic/traffic-report';
import type { HostCounters } from '../../host/host-events';
import type { PortCounters } from '../net/frame-port';

/** What the metrics are read from, whenever somebody asks. */
export interface MetricsSource {
  readonly host: () => HostCounters;
  readonly port: () => PortCounters;
  readonly flows: () => readonly FlowSample[];
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves metrics to Prometheus.
 * @param address HOST:PORT or PORT; port 0 takes a free one.
 * @throws InputError when it cannot be listened on.
 */
export const serveMetrics = (address: string, source: MetricsSource): Promise<MetricsServer> =>
  serveRegistry(address, metricsRegistry(source));

/** As {@link serveMetrics}, for metrics of any kind. */
export async function serveRegistry(address: string, registry: Registry): Promise<MetricsServer> {
  const { host, port } = parseAddress(address);
  const server = http.createServer((_request, response) => {
    registry.metrics().then(
      (text) => response.setHeader('Content-Type', registry.contentType).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new InputError(`--metrics-addr ${address}: ${error.message}`));
    });
    server.listen(port, host, resolve);
  });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:(.*):)?(\d{1,5})$/.exec(address);
  const port = Number(match?.[2] ?? NaN);
  if (match !== null && port <= 0xffff) return { host: match[1] ?? '127.0.0.1', port };
  throw new InputError(`--metrics-addr must be HOST:PORT or PORT, got '${address}'`);
}

/** All metrics, read at each scrape. */
export function metricsRegistry(source: MetricsSource): Registry {
  const registry = new Registry();
  counters(registry, {
    name: 'hpcc_frames_total',
    help: 'Frames of the interface by what became of them',
    label: 'kind',
    read: () => Object.entries(source.port()),
  });
  counters(registry, {
    name: 'hpcc_packets_total',
    help: 'Packets of the transport by kind',
    label: 'kind',
    read: () => {
      const { dataSent, acksSent, dataReceived, acksReceived, acksLate } = source.host();
      return Object.entries({ dataSent, acksSent, dataReceived, acksReceived, acksLate });
    },
  });
  counters(registry, {
    name: 'hpcc_packets_rejected_total',
    help: 'Packets that were dropped, by reason',
    label: 'reason',
    read: () => Object.entries(source.host().packetsRejected),
  });
  counters(registry, {
    name: 'hpcc_bytes_delivered_total',
    help: 'Payload bytes that arrived in order',
    label: 'role',
    read: () => [['receiver', source.host().bytesDelivered]],
  });
  flowGauges(registry, source.flows);
  return registry;
}

/** Values of one label, read at each scrape. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: () => readonly (readonly [string, number])[];
}

export function counters(registry: Registry, { name, help, label, read }: MetricFamily): void {
  const counter = new Counter({
    ...{ name, help, labelNames: [label], registers: [registry] },
    collect: () => {
      counter.reset();
      for (const [value, count] of read()) counter.inc({ [label]: value }, count);
    },
  });
}

/** As {@link counters}, for values that go up and down. */
export function gauges(registry: Registry, { name, help, label, read }: MetricFamily): void {
  const gauge = new Gauge({
    ...{ name, help, labelNames: [label], registers: [registry] },
    collect: () => {
      gauge.reset();
      for (const [value, amount] of read()) gauge.set({ [label]: value }, amount);
    },
  });
}

/** What a flow's sender knows, by the names of {@link FlowSample}. */
const FLOW_GAUGES = {
  acknowledgedBytes: ['hpcc_flow_acknowledged_bytes', 'Payload bytes that were acknowledged'],
  segmentsRetransmitted: ['hpcc_flow_retransmitted_segments', 'Segments that were sent again'],
  windowBytes: ['hpcc_flow_window_bytes', 'Payload bytes that may be unacknowledged'],
  pacingRate: ['hpcc_flow_pacing_bits_per_second', 'Rate that packets are paced at'],
  queueBytes: ['hpcc_flow_queue_bytes', 'Longest queue of the path in the latest telemetry'],
  hops: ['hpcc_flow_hops', 'Links of the path in the latest telemetry'],
} as const;

function flowGauges(registry: Registry, flows: MetricsSource['flows']): void {
  for (const [field, [name, help]] of Object.entries(FLOW_GAUGES)) {
    const key = field as keyof typeof FLOW_GAUGES;
    const read = (): (readonly [string, number])[] =>
      flows().map((sample) => [String(sample.flow), sample[key]]);
    gauges(registry, { name, help, label: 'flow', read });
  }
}
