import type { ReportCollector } from './report-collector';
import type { ReportTotals } from './report-totals';
import type { FlowHop } from './hop-rows';
import type { Sums } from './report-links';

const figures = ({ count, sum, max }: Pick<Sums, 'count' | 'sum' | 'max'>): object | null =>
  count === 0 ? null : { count, mean: Math.round((1000 * sum) / count) / 1000, max };

const portOf = (port: number): number | null => (port < 0 ? null : port);

const hopLine = ({ nodeId, ingress, egress, latencyNs, queueBytes }: FlowHop): object => ({
  nodeId,
  ingressPort: portOf(ingress),
  egressPort: portOf(egress),
  latencyNs: figures(latencyNs),
  queueBytes: figures(queueBytes),
});

/** Counts of the datagrams that sums are made of. */
export interface TotalsIntake {
  readonly collector: ReportCollector;
  /** Datagrams that the kernel dropped before they were read; null where it does not say. */
  readonly kernelDropped: number | null;
}

/**
 * Sums as objects for lines of JSON: links, flows with their paths, drops by reason, the reports in all, and last
 * the datagrams, with those that are missing.
 */
export function* totalsLines(
  totals: ReportTotals,
  { collector, kernelDropped }: TotalsIntake,
): Generator<object> {
  const { links, flows, drops, dropped, congested, tracked } = totals;
  for (const { nodeId, egress, hops, latencyNs, queueBytes } of links.all()) {
    yield {
      link: { nodeId, egressPort: portOf(egress) },
      hops,
      latencyNs: figures(latencyNs),
      queueBytes: figures(queueBytes),
    };
  }
  for (const flow of flows.all()) {
    const { name, reports, otherHops } = flow;
    yield { flow: name, reports, otherHops, path: flows.pathOf(flow).map(hopLine) };
  }
  for (const [reason, reports] of drops) yield { dropReason: reason, reports };
  yield { dropped, congested, tracked, otherLinks: links.others, otherFlows: flows.others };
  const { reports, faults, untold, gaps } = collector;
  const forgotten = forgottenCounts(totals, collector);
  if (Object.values(forgotten).some((count) => count > 0)) yield { forgotten };
  const sources = collector.sources();
  const lost = sources.reduce((sum, source) => sum + source.lost, gaps.forgottenLost);
  const late = sources.reduce((sum, source) => sum + source.late, 0);
  yield { datagrams: reports, faults, lost, late, untold, kernelDropped };
}

/** Counts of what was idle for too long, by kind. */
export const forgottenCounts = (
  { links, flows }: ReportTotals,
  { gaps }: ReportCollector,
): Readonly<Record<'flows' | 'hops' | 'links' | 'sources', number>> => ({
  flows: flows.forgotten,
  hops: flows.forgottenHops,
  links: links.forgotten,
  sources: gaps.forgotten,
});
