import type { Registry } from 'prom-client';

/** The library of metrics. */
const library = (): typeof import('prom-client') =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: a seventh of a host's modules, which few need
  require('prom-client') as typeof import('prom-client');

export const newRegistry = (): Registry => new (library().Registry)();

/** Content type of OpenMetrics 1.0. */
export const openMetricsType = (): string => library().Registry.OPENMETRICS_CONTENT_TYPE;

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
  const counter = new (library().Counter)({
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
  const gauge = new (library().Gauge)({
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
