import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Values of one metric, read from what counts anyway at each scrape, and at no other time. */
export interface MetricFamily<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Labels that are left out are empty. */
  readonly read: () => Iterable<readonly [Readonly<Partial<Record<Label, string>>>, number]>;
}

/** A family of values that only grow. */
export function counters<Label extends string>(
  registry: Registry,
  { name, help, labels, read }: MetricFamily<Label>,
): void {
  const counter = new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [of, count] of read()) counter.inc(of, count);
    },
  });
}

/** As {@link counters}, for values that go up and down. */
export function gauges<Label extends string>(
  registry: Registry,
  { name, help, labels, read }: MetricFamily<Label>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect: () => {
      gauge.reset();
      for (const [of, amount] of read()) gauge.set(of, amount);
    },
  });
}

/** Values by one label. */
export const byLabel = <Label extends string>(
  label: Label,
  values: Iterable<readonly [string, number]>,
): [Readonly<Record<Label, string>>, number][] =>
  [...values].map(([value, number]) => [{ [label]: value } as Record<Label, string>, number]);
