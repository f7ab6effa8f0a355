import type { Registry } from 'prom-client';
import { byLabel, counters, gauges, newRegistry } from '../../../common/io/metric-families';
import type { ConnectionSummary, TcpCounters } from '../../tcp/tcp-control';

/** Sources of the metrics, read at each scrape. */
export interface TcpMetricsSource {
  readonly counters: () => TcpCounters;
  readonly connections: () => readonly ConnectionSummary[];
}

/** All metrics of the control of connections, read at each scrape. */
export function tcpMetricsRegistry(source: TcpMetricsSource): Registry {
  const registry = newRegistry();
  const { connections } = source;
  counters(registry, {
    name: 'hpcc_tcp_events_total',
    help: 'Connections, probes, changes of rates and frames, by kind',
    labels: ['kind'],
    read: () => byLabel('kind', Object.entries<number>({ ...source.counters() })),
  });
  gauges(registry, {
    name: 'hpcc_tcp_connections',
    help: 'Connections that telemetry is asked for, by whether they are controlled',
    labels: ['controlled'],
    read: () => {
      const all = connections();
      const count = all.filter(({ isControlled }) => isControlled).length;
      return byLabel('controlled', Object.entries({ yes: count, no: all.length - count }));
    },
  });
  for (const [name, { help, read: valueOf }] of Object.entries(CONNECTION_GAUGES)) {
    const read = (): [{ connection: string }, number][] =>
      connections().map((one) => [{ connection: one.connection }, valueOf(one)]);
    gauges(registry, { name, help, labels: ['connection'], read });
  }
  return registry;
}

interface ConnectionGauge {
  readonly help: string;
  readonly read: (connection: ConnectionSummary) => number;
}

const CONNECTION_GAUGES: Readonly<Record<string, ConnectionGauge>> = {
  hpcc_tcp_acknowledged_bytes: {
    help: 'Payload that the peer has acknowledged',
    read: ({ bytes }) => bytes,
  },
  hpcc_tcp_rate_bytes_per_second: {
    help: 'Rate of the class of the connection, 0 without one',
    read: ({ rateBps }) => (rateBps ?? 0) / 8,
  },
  hpcc_tcp_rate_changes: {
    help: 'How often the class got another rate',
    read: ({ rateChanges }) => rateChanges,
  },
  hpcc_tcp_probes_sent: { help: 'Probes that were sent', read: ({ probesSent }) => probesSent },
  hpcc_tcp_queue_p99_bytes: {
    help: 'Longest queue of the path, 99th percentile of all samples',
    read: ({ queueBytes }) => queueBytes.p99,
  },
};
