import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { SwitchEvent } from './switch-keeper';

/** Seconds, from a switch that is as wanted to one that is filled from nothing. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

/** Metrics of a controller for Prometheus, by switch. */
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
