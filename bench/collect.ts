import { craftFrame } from '../common/telemetry/craft/kinds';
import { ReportCollector } from '../common/telemetry/collect/report-collector';
import { ReportTotals } from '../common/telemetry/collect/report-totals';
import { measureSpeed } from './measure';

const OPERATIONS = 1_000_000;
const FLOWS = 1000;
const SEQUENCE_AT = 0;
const HEADERS = 42;

const hop = (nodeId: number): object => ({
  nodeId,
  ingressInterface: 1,
  egressInterface: 2,
  hopLatency: 400,
  queueId: 0,
  queueOccupancy: 100,
});

/** A report of a sink: its own hop, and a packet of a flow with a stack of three. */
function reportOf(flow: number): Buffer {
  const packet = craftFrame([
    'ethernet',
    { kind: 'ipv4', source: `10.0.${flow >>> 8}.${flow & 0xff}` },
    { kind: 'udp', destinationPort: 5000 },
    'int-shim',
    { kind: 'int-md', hops: [1, 2, 3].map(hop) },
    { kind: 'payload', zeros: 64 },
  ]);
  const inner = Buffer.from(packet.subarray(14)).toString('hex');
  const { nodeId: _, ...own } = hop(0) as Record<string, number>;
  const report = { innerType: 4, trackedFlow: true, int: own, inner };
  const frame = craftFrame([
    'ethernet',
    'ipv4',
    'udp',
    { kind: 'report', nodeId: 9, reports: [report] },
  ]);
  return Buffer.from(frame.subarray(HEADERS));
}

/** Sums of telemetry reports 2.0 of 1,000 flows with four hops each, per second of one core, and memory. */
export function benchCollect(rounds: number): object {
  const datagrams = Array.from({ length: FLOWS }, (_, flow) => reportOf(flow));
  const collector = new ReportCollector();
  const totals = new ReportTotals(collector);
  let sequence = 0;
  const run = (operations: number): void => {
    for (let i = 0; i < operations; i++) {
      const datagram = datagrams[i % FLOWS] as Buffer;
      datagram.writeUInt32BE((2 << 28) | (sequence & 0x3f_ffff), SEQUENCE_AT);
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
  };
}
