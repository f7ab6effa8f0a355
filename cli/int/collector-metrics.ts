import type { Registry } from 'prom-client';
import { counters, gauges, newRegistry } from '../../common/io/metric-families';
import type { ReportCollector } from '../../common/telemetry/collect/report-collector';
import type { FlowHop } from '../../common/telemetry/collect/hop-rows';
import type { FlowTotals } from '../../common/telemetry/collect/report-flows';
import type { LinkTotals } from '../../common/telemetry/collect/report-links';
import type { ReportTotals } from '../../common/telemetry/collect/report-totals';
import { forgottenCounts } from '../../common/telemetry/collect/totals-lines';

const NS_PER_SECOND = 1e9;

const placeOf = ({ nodeId, egress }: LinkTotals): { node: string; port: string } => ({
  node: String(nodeId),
  port: egress < 0 ? '' : String(egress),
});

/** Counts of a collector. */
export interface CollectorCounts {
  readonly collector: ReportCollector;
  readonly totals: ReportTotals;
  /** Datagrams that the kernel has dropped; null where it does not say. */
  readonly dropped: () => number | null;
}

/** All metrics of a collector, read at each scrape. */
export function collectorMetrics(counts: CollectorCounts): Registry {
  const registry = newRegistry();
  addReports(registry, counts);
  addLinks(registry, counts.totals);
  addFlows(registry, counts.totals);
  return registry;
}

function addReports(registry: Registry, { collector, totals, dropped }: CollectorCounts): void {
  counters(registry, {
    name: 'hpcc_int_datagrams_total',
    help: 'Datagrams of reports, and datagrams that were none',
    labels: ['kind'],
    read: () => [
      [{ kind: 'reports' }, collector.reports],
      [{ kind: 'faults' }, collector.faults],
    ],
  });
  counters(registry, {
    name: 'hpcc_int_reports_total',
    help: 'Reports of tracked flows, congested queues and drops; one may be several',
    labels: ['kind'],
    read: () => [
      [{ kind: 'tracked' }, totals.tracked],
      [{ kind: 'congested' }, totals.congested],
      [{ kind: 'dropped' }, totals.dropped],
    ],
  });
  counters(registry, {
    name: 'hpcc_int_lost_total',
    help: 'Datagrams that are missing by the sequence numbers of each source',
    labels: ['node', 'hardware'],
    read: () =>
      collector
        .sources()
        .map(({ nodeId, hardwareId, lost }) => [
          { node: String(nodeId ?? ''), hardware: String(hardwareId) },
          lost,
        ]),
  });
  counters(registry, {
    name: 'hpcc_int_forgotten_total',
    help: 'Flows, hops of flows, links and sources of which no report told for long, and whose series ended',
    labels: ['kind'],
    read: () =>
      Object.entries(forgottenCounts(totals, collector)).map(([kind, count]) => [{ kind }, count]),
  });
  counters(registry, {
    name: 'hpcc_int_kernel_drops_total',
    help: 'Datagrams that the kernel dropped because they were not read in time; nothing where it does not say',
    labels: ['reason'],
    read: () => {
      const count = dropped();
      return count === null ? [] : [[{ reason: 'socket-full' }, count]];
    },
  });
  counters(registry, {
    name: 'hpcc_int_drops_total',
    help: 'Packets that nodes have dropped, by the reason of their reports',
    labels: ['reason'],
    read: () => [...totals.drops].map(([reason, count]) => [{ reason: String(reason) }, count]),
  });
}

function addLinks(registry: Registry, { links }: ReportTotals): void {
  const labels = ['node', 'port'] as const;
  const each = (value: (link: LinkTotals) => number) => () =>
    links.all().map((link) => [placeOf(link), value(link)] as const);
  counters(registry, {
    name: 'hpcc_int_link_hops_total',
    help: 'Hops that reports tell of, by node and egress port',
    labels,
    read: each(({ hops }) => hops),
  });
  counters(registry, {
    name: 'hpcc_int_link_latency_seconds_total',
    help: 'Sum of the latencies of these hops that were told',
    labels,
    read: each(({ latencyNs }) => latencyNs.sum / NS_PER_SECOND),
  });
  counters(registry, {
    name: 'hpcc_int_link_latencies_total',
    help: 'Number of these latencies',
    labels,
    read: each(({ latencyNs }) => latencyNs.count),
  });
  counters(registry, {
    name: 'hpcc_int_link_queue_bytes_total',
    help: 'Sum of the queues of these hops that were told',
    labels,
    read: each(({ queueBytes }) => queueBytes.sum),
  });
  counters(registry, {
    name: 'hpcc_int_link_queues_total',
    help: 'Number of these queues',
    labels,
    read: each(({ queueBytes }) => queueBytes.count),
  });
  gauges(registry, {
    name: 'hpcc_int_link_latency_max_seconds',
    help: 'Longest latency so far',
    labels,
    read: each(({ latencyNs }) => latencyNs.max / NS_PER_SECOND),
  });
  gauges(registry, {
    name: 'hpcc_int_link_queue_max_bytes',
    help: 'Longest queue so far',
    labels,
    read: each(({ queueBytes }) => queueBytes.max),
  });
}

/** Those that came first, so that series stay. */
function addFlows(registry: Registry, { flows }: ReportTotals): void {
  const shown = (): readonly FlowTotals[] => flows.all().filter(({ isShown }) => isShown);
  counters(registry, {
    name: 'hpcc_int_flow_reports_total',
    help: 'Reports of each of 1,024 flows, the first that came, and of all others together',
    labels: ['flow'],
    read: () => [
      ...shown().map(({ name, reports }) => [{ flow: name }, reports] as const),
      [{ flow: 'other' }, flows.unshown] as const,
    ],
  });
  const labels = ['flow', 'hop', 'node'] as const;
  const each = (value: (hop: FlowHop) => number) => () =>
    shown().flatMap((flow) =>
      flows
        .pathOf(flow)
        .map(
          (hop, i) =>
            [
              { flow: flow.name, hop: String(i + 1), node: String(hop.nodeId) },
              value(hop),
            ] as const,
        ),
    );
  counters(registry, {
    name: 'hpcc_int_flow_latency_seconds_total',
    help: 'Sum of the latencies of each hop of these flows, with its place on the path',
    labels,
    read: each(({ latencyNs }) => latencyNs.sum / NS_PER_SECOND),
  });
  counters(registry, {
    name: 'hpcc_int_flow_latencies_total',
    help: 'Number of these latencies',
    labels,
    read: each(({ latencyNs }) => latencyNs.count),
  });
  counters(registry, {
    name: 'hpcc_int_flow_queue_bytes_total',
    help: 'Sum of the queues at each hop of these flows',
    labels,
    read: each(({ queueBytes }) => queueBytes.sum),
  });
  counters(registry, {
    name: 'hpcc_int_flow_queues_total',
    help: 'Number of these queues',
    labels,
    read: each(({ queueBytes }) => queueBytes.count),
  });
}
