import { ReportCollector } from '../common/telemetry/collect/report-collector';
import { HOPS_MAX } from '../common/telemetry/collect/hop-rows';
import { FLOW_MAX } from '../common/telemetry/collect/report-flows';
import { ReportTotals } from '../common/telemetry/collect/report-totals';
import { REPORT_FLOWS, reportOf, writeSequence } from './collect/telemetry-reports';
import { measureSpeed } from './measure';

const OPERATIONS = 1_000_000;

/** Sums of telemetry reports 2.0 of 1,000 flows with four hops each, per second of one core, and memory. */
export function benchCollect(rounds: number): object {
  const datagrams = Array.from({ length: REPORT_FLOWS }, (_, flow) => reportOf(flow));
  const collector = new ReportCollector();
  const totals = new ReportTotals(collector);
  let sequence = 0;
  const run = (operations: number): void => {
    for (let i = 0; i < operations; i++) {
      const datagram = datagrams[i % REPORT_FLOWS] as Buffer;
      writeSequence(datagram, sequence);
      sequence += 1;
      totals.add(datagram);
    }
  };
  run(OPERATIONS / 10);
  const before = process.memoryUsage().rss;
  const speed = measureSpeed(rounds, OPERATIONS, run);
  const [source] = collector.sources();
  return {
    reports: collector.reports,
    lost: source?.lost,
    flows: totals.flows.all().length,
    hopsOfEach: 4,
    ...speed,
    grownMegabytes: Math.round((process.memoryUsage().rss - before) / 2 ** 20),
    mostMegabytes: mostMegabytes(),
  };
}

/** Memory of as many flows and hops as are kept, and of links and sources, in a collector that has no others. */
function mostMegabytes(): number {
  const before = process.memoryUsage().rss;
  const collector = new ReportCollector();
  const totals = new ReportTotals(collector);
  const ends = {
    source: '2001:db8:1111:2222:3333:4444:5555:6666',
    protocol: 'udp',
    sourcePort: 5000,
  };
  const figures = { ingress: 1, egress: 2, latencyNs: 400, queueBytes: 100 };
  for (let i = 0; i < FLOW_MAX; i++) {
    collector.count({ nodeId: i, hardwareId: 0 }, 0);
    totals.links.add({ ...figures, nodeId: i });
    const flow = totals.flows.named({ ...ends, destination: `2001:db8::${i.toString(16)}` });
    for (let hop = 1; flow !== undefined && hop <= HOPS_MAX / FLOW_MAX; hop++) {
      totals.flows.addHop(flow, { ...figures, nodeId: hop }, hop);
    }
  }
  return Math.round((process.memoryUsage().rss - before) / 2 ** 20);
}
