import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { InputError } from '../../../common/errors';
import type { SwitchEvent } from './switch-keeper';

/** Seconds, from a switch that is as wanted to one that is filled from nothing. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

/** What Prometheus may know of a controller, by switch. */
export class ControllerMetrics {
  readonly registry = new Registry();
  private readonly connected = this.gauge('connected', 'Whether the switch answers.');
  private readonly primary = this.gauge('primary', 'Whether this controller leads the switch.');
  private readonly inSync = this.gauge('in_sync', 'Whether the switch holds what it shall hold.');
  private readonly updates = new Counter({
    name: 'hpcc_controller_updates_total',
    help: 'Updates that switches have confirmed.',
    labelNames: ['switch', 'type'],
    registers: [this.registry],
  });
  private readonly loads = this.counter('program_loads_total', 'Programs loaded.');
  private readonly refused = this.counter('refused_total', 'Updates that switches have refused.');
  private readonly failures = this.counter('failures_total', 'Failed connections and calls.');
  private readonly seconds = new Histogram({
    name: 'hpcc_controller_reconcile_seconds',
    help: 'Time to bring a switch to what it shall hold, reading included.',
    labelNames: ['switch'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  observe(name: string, event: SwitchEvent): void {
    const labels = { switch: name };
    switch (event.kind) {
      case 'connected':
        this.connected.set(labels, 1);
        return;
      case 'primary':
        this.primary.set(labels, 1);
        return;
      case 'backup':
        this.primary.set(labels, 0);
        return;
      case 'reconciled':
        this.inSync.set(labels, 1);
        if (event.programLoaded) this.loads.inc(labels);
        for (const [type, count] of Object.entries(event.updates)) {
          this.updates.inc({ switch: name, type }, Number(count));
        }
        this.seconds.observe(labels, event.milliseconds / 1000);
        return;
      case 'incomplete':
        this.inSync.set(labels, 0);
        this.refused.inc(labels, event.refused);
        return;
      case 'failed':
        for (const gauge of [this.connected, this.primary, this.inSync]) gauge.set(labels, 0);
        this.failures.inc(labels);
    }
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ ...this.named(name, help), registers: [this.registry] });
  }

  private counter(name: string, help: string): Counter {
    return new Counter({ ...this.named(name, help), registers: [this.registry] });
  }

  private named(name: string, help: string): { name: string; help: string; labelNames: string[] } {
    return { name: `hpcc_controller_${name}`, help, labelNames: ['switch'] };
  }
}

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves a registry at `/metrics`.
 * @param address host and port; port 0 for a free one.
 * @throws InputError when the address cannot be used.
 */
export async function serveMetrics(registry: Registry, address: string): Promise<MetricsServer> {
  const colon = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, colon), Number(address.slice(colon + 1))];
  if (colon < 1 || !Number.isInteger(port) || port > 65535) {
    throw new InputError(`metrics: wanted host:port, found '${address}'`);
  }
  const server = http.createServer((request, response) => {
    void answer(registry, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new InputError(`metrics cannot be served at ${address}: ${error.message}`));
    });
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  registry: Registry,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  if (request.url !== '/metrics') {
    response.writeHead(404).end('metrics are at /metrics\n');
    return;
  }
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType }).end(text);
}
