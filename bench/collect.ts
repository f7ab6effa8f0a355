import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ParquetRows } from '../common/telemetry/io/parquet-rows';
import { HOPS_MAX } from '../common/telemetry/collect/hop-rows';
import { ReportCollector } from '../common/telemetry/collect/report-collector';
import { FLOW_MAX } from '../common/telemetry/collect/report-flows';
import { ReportIntake } from '../common/telemetry/collect/report-intake';
import type { ReportOutput } from '../common/telemetry/collect/report-intake';
import { ReportTotals } from '../common/telemetry/collect/report-totals';
import { ByteText } from '../common/telemetry/lines/byte-text';
import { ReportLines } from '../common/telemetry/lines/report-lines';
import { REPORT_FLOWS, reportOf, writeSequence } from './collect/telemetry-reports';
import { measureSpeed } from './measure';

const OPERATIONS = 300_000;
const LINES_BYTES = 1 << 16;

/**
 * Telemetry reports 2.0 of 1,000 flows with four hops each, per second of one core, to each output in turn; and
 * memory of sums.
 */
export async function benchCollect(rounds: number): Promise<object> {
  const collector = new ReportCollector();
  const before = process.memoryUsage().rss;
  const sums = measureOutput(rounds, collector, new ReportTotals(collector));
  const grownMegabytes = Math.round((process.memoryUsage().rss - before) / 2 ** 20);
  return {
    hopsOfEach: 4,
    lost: collector.sources()[0]?.lost,
    sums,
    lines: measureLines(rounds),
    parquet: await measureParquet(rounds),
    grownMegabytes,
    mostMegabytes: mostMegabytes(),
  };
}

function measureLines(rounds: number): object {
  const text = new ByteText();
  return measureOutput(rounds, new ReportCollector(), new ReportLines(text), () => {
    if (text.length > LINES_BYTES) text.clear();
  });
}

async function measureParquet(rounds: number): Promise<object> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bench-collect-'));
  try {
    const file = await ParquetRows.create(path.join(folder, 'rows.parquet'));
    const speed = measureOutput(rounds, new ReportCollector(), file.rows);
    file.finish();
    return speed;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function measureOutput(
  rounds: number,
  collector: ReportCollector,
  output: ReportOutput,
  rest: () => void = () => undefined,
): object {
  const datagrams = Array.from({ length: REPORT_FLOWS }, (_, flow) => reportOf(flow));
  const intake = new ReportIntake(collector, [output]);
  let sequence = 0;
  const run = (operations: number): void => {
    for (let i = 0; i < operations; i++) {
      const datagram = datagrams[i % REPORT_FLOWS] as Buffer;
      writeSequence(datagram, sequence);
      sequence += 1;
      intake.add(datagram, sequence / 1000);
      rest();
    }
  };
  run(OPERATIONS / 10);
  return measureSpeed(rounds, OPERATIONS, run);
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
