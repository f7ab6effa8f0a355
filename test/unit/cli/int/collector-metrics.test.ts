import { collectorMetrics } from '../../../../cli/int/collector-metrics';
import { ReportCollector } from '../../../../common/telemetry/collect/report-collector';
import { FLOW_MAX } from '../../../../common/telemetry/collect/report-flows';
import { ReportIntake } from '../../../../common/telemetry/collect/report-intake';
import { ReportTotals } from '../../../../common/telemetry/collect/report-totals';
import { craftFrame } from '../../../../common/telemetry/craft/kinds';

test('sums by link, flow and reason are metrics, read at each scrape', async () => {
  const collector = new ReportCollector();
  const totals = new ReportTotals(collector);
  const intake = new ReportIntake(collector, [totals]);
  const registry = collectorMetrics({ collector, totals, dropped: () => 6 });
  const inner = [
    { kind: 'ipv4', ttl: 60 },
    { kind: 'udp', sourcePort: 7, destinationPort: 5000 },
    { kind: 'payload', text: 'abcdefgh' },
  ];
  const own = { ingressInterface: 1, egressInterface: 2, hopLatency: 2_000_000 };
  const reports = [
    { trackedFlow: true, int: { ...own, queueId: 0, queueOccupancy: 700 }, layers: inner },
    { dropped: true, int: { dropQueueId: 1, dropReason: 29 }, layers: inner },
  ];
  const group = (sequence: number): Buffer => {
    const report = { kind: 'report', nodeId: 9, sequence, reports };
    return Buffer.from(craftFrame(['ethernet', 'ipv4', 'udp', report]).subarray(42));
  };
  intake.add(group(1), null);
  intake.add(group(4), null);
  intake.add(Buffer.from('nothing'), null);
  const flow = 'flow="10.0.0.1:7 -> 10.0.0.2:5000 udp"';
  const text = await registry.metrics();
  for (const line of [
    'hpcc_int_datagrams_total{kind="reports"} 2',
    'hpcc_int_datagrams_total{kind="faults"} 1',
    'hpcc_int_reports_total{kind="dropped"} 2',
    'hpcc_int_lost_total{node="9",hardware="0"} 2',
    'hpcc_int_kernel_drops_total{reason="socket-full"} 6',
    'hpcc_int_drops_total{reason="29"} 2',
    'hpcc_int_forgotten_total{kind="flows"} 0',
    'hpcc_int_link_latencies_total{node="9",port="2"} 2',
    'hpcc_int_link_queue_bytes_total{node="9",port="2"} 1400',
    'hpcc_int_link_queues_total{node="9",port="2"} 2',
    'hpcc_int_link_hops_total{node="9",port="2"} 2',
    'hpcc_int_link_latency_seconds_total{node="9",port="2"} 0.004',
    'hpcc_int_link_latency_max_seconds{node="9",port="2"} 0.002',
    'hpcc_int_link_queue_max_bytes{node="9",port="2"} 700',
    `hpcc_int_flow_reports_total{${flow}} 4`,
    'hpcc_int_flow_reports_total{flow="other"} 0',
    `hpcc_int_flow_latency_seconds_total{${flow},hop="1",node="9"} 0.004`,
    `hpcc_int_flow_latencies_total{${flow},hop="1",node="9"} 2`,
    `hpcc_int_flow_queue_bytes_total{${flow},hop="1",node="9"} 1400`,
    `hpcc_int_flow_queues_total{${flow},hop="1",node="9"} 2`,
  ]) {
    expect(text).toContain(`\n${line}\n`);
  }
});

test('flows beyond the first 1,024 share one series, however many there are', async () => {
  const collector = new ReportCollector();
  const totals = new ReportTotals(collector);
  const registry = collectorMetrics({ collector, totals, dropped: () => null });
  const port = (n: number): object => ({
    source: 'h1',
    destination: 'h2',
    protocol: 'udp',
    sourcePort: n,
  });
  for (let n = 0; n < FLOW_MAX + 10; n++) {
    totals.flows.named(port(n));
    totals.flows.named(port(n));
  }
  const text = await registry.metrics();
  expect(text).not.toMatch(/^hpcc_int_kernel_drops_total/m);
  const lines = text.split('\n').filter((line) => line.startsWith('hpcc_int_flow_reports_total{'));
  expect(lines).toHaveLength(1025);
  expect(lines[1023]).toBe('hpcc_int_flow_reports_total{flow="h1:1023 -> h2 udp"} 2');
  const others = 2 * (FLOW_MAX - 1024 + 10);
  expect(lines[1024]).toBe(`hpcc_int_flow_reports_total{flow="other"} ${others}`);
});
