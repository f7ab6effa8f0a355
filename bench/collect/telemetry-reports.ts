import { craftFrame } from '../../common/telemetry/craft/kinds';

/** Flows of the reports. */
export const REPORT_FLOWS = 1000;
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
export function reportOf(flow: number): Buffer {
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

/** Numbers a report of {@link reportOf}. */
export function writeSequence(report: Buffer, sequence: number): void {
  report.writeUInt32BE((2 << 28) | (sequence & 0x3f_ffff), 0);
}
