import { Counter, Gauge, Registry } from 'prom-client';
import type { ConnectionSummary, TcpCounters } from '../../tcp/tcp-control';

/** What the metrics are read from, whenever somebody asks. */
export interface TcpMetricsSource {
  readonly counters: () => TcpCounters;
  readonly connections: () => readonly ConnectionSummary[];
}

/** All metrics of the control of connections, read at each scrape. */
export function tcpMetricsRegistry(source: TcpMetricsSource): Registry {
  const registry = new Registry();
  const counter = new Counter({
    name: 'hpcc_tcp_events_total',
    help: 'Connections, probes, changes of rates and frames, by kind',
    labelNames: ['kind'],
    registers: [registry],
    collect: () => {
      counter.reset();
      const counts = Object.entries<number>({ ...source.counters() });
      for (const [kind, count] of counts) counter.inc({ kind }, count);
    },
  });
  const controlled = new Gauge({
    name: 'hpcc_tcp_connections',
    help: 'Connections that telemetry is asked for, by whether they are controlled',
    labelNames: ['controlled'],
    registers: [registry],
    collect: () => {
      const all = source.connections();
      const count = all.filter(({ isControlled }) => isControlled).length;
      controlled.set({ controlled: 'yes' }, count);
      controlled.set({ controlled: 'no' }, all.length - count);
    },
  });
  for (const [name, { help, read }] of Object.entries(CONNECTION_GAUGES)) {
    const gauge = new Gauge({
      ...{ name, help, labelNames: ['connection'], registers: [registry] },
      collect: () => {
        gauge.reset();
        for (const one of source.connections()) {
          gauge.set({ connection: one.connection }, read(one));
        }
      },
    });
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
  hpcc_tcp_rate_bits_per_second: {
    help: 'Rate of the class of the connection, 0 without one',
    read: ({ rateBps }) => rateBps ?? 0,
  },
  hpcc_tcp_rate_changes: {
    help: 'How often the class got another rate',
    read: ({ rateChanges }) => rateChanges,
  },
  hpcc_tcp_probes_sent: { help: 'Probes that were sent', read: ({ probesSent }) => probesSent },
  hpcc_tcp_queue_bytes_p99: {
    help: 'Longest queue of the path, 99th percentile of all samples',
    read: ({ queueBytes }) => queueBytes.p99,
  },
};
