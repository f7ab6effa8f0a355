import { ReportCollector } from '../../../../../common/telemetry/collect/report-collector';
import { IdleClock } from '../../../../../common/telemetry/collect/idle-clock';
import { ReportIntake } from '../../../../../common/telemetry/collect/report-intake';
import { ReportTotals } from '../../../../../common/telemetry/collect/report-totals';
import { FLOW_HOP_MAX, FLOW_MAX } from '../../../../../common/telemetry/collect/report-flows';
import { HOPS_MAX } from '../../../../../common/telemetry/collect/hop-rows';
import { totalsLines } from '../../../../../common/telemetry/collect/totals-lines';
import { craftFrame } from '../../../../../common/telemetry/craft/kinds';

const HEADERS = 42;
const PORTS = { ingressInterface: 1, egressInterface: 2 };

interface Packet {
  readonly source?: string;
  readonly ttl?: number;
  readonly hops?: readonly object[];
  readonly l4?: object;
  readonly shim?: readonly object[];
}

/** A packet as reports have it, from its IP header on. */
function packetOf({ source = '10.0.0.1', ttl = 60, hops, l4, shim }: Packet = {}): string {
  const isIpv6 = source.includes(':');
  const int =
    hops === undefined ? [] : [...(shim ?? [{ kind: 'int-shim' }]), { kind: 'int-md', hops }];
  const ip = isIpv6
    ? { kind: 'ipv6', source, destination: 'fd00::2', hopLimit: ttl }
    : { kind: 'ipv4', source, destination: '10.0.0.2', ttl };
  const frame = craftFrame([
    { kind: 'ethernet' },
    ip,
    { kind: 'udp', sourcePort: 7, destinationPort: 5000, ...l4 },
    ...int,
    { kind: 'payload', text: 'abcdefgh' },
  ]);
  return Buffer.from(frame.subarray(14)).toString('hex');
}

function datagram(nodeId: number, sequence: number, reports: readonly object[]): Buffer {
  const frame = craftFrame([
    'ethernet',
    'ipv4',
    'udp',
    { kind: 'report', nodeId, sequence, reports },
  ]);
  return Buffer.from(frame.subarray(HEADERS));
}

const report = (inner: string, fields: object = {}): object => ({
  innerType: inner.startsWith('6') ? 5 : 4,
  trackedFlow: true,
  int: { ...PORTS, hopLatency: 30, queueId: 0, queueOccupancy: 500 },
  inner,
  ...fields,
});

function totalsOf(datagrams: readonly Buffer[]): {
  totals: ReportTotals;
  collector: ReportCollector;
  intake: ReportIntake;
} {
  const collector = new ReportCollector();
  const totals = new ReportTotals(collector);
  const intake = new ReportIntake(collector, [totals]);
  for (const each of datagrams) intake.add(each, null);
  return { totals, collector, intake };
}

const pathNodes = (totals: ReportTotals): number[][] =>
  totals.flows.all().map((flow) => totals.flows.pathOf(flow).map(({ nodeId }) => nodeId));

test('a stacked report becomes the path of its flow, and sums of each link', () => {
  const hops = [
    { nodeId: 1, ...PORTS, hopLatency: 10 },
    { nodeId: 2, ...PORTS, hopLatency: 20 },
  ];
  const again = report(packetOf({ hops }), { int: { ...PORTS, hopLatency: 50 } });
  const { totals, collector } = totalsOf([
    datagram(9, 4, [report(packetOf({ hops }))]),
    datagram(9, 5, [again]),
    datagram(9, 9, [again]),
  ]);
  expect(collector.sources()).toEqual([
    { nodeId: 9, hardwareId: 0, received: 3, lost: 3, late: 0 },
  ]);
  expect(totals.flows.all().map(({ name, reports }) => [name, reports])).toEqual([
    ['10.0.0.1:7 -> 10.0.0.2:5000 udp', 3],
  ]);
  expect(pathNodes(totals)).toEqual([[1, 2, 9]]);
  const lines = [...totalsLines(totals, { collector, kernelDropped: 2 })];
  expect(lines).toContainEqual({
    link: { nodeId: 9, egressPort: 2 },
    hops: 3,
    latencyNs: { count: 3, mean: 43.333, max: 50 },
    queueBytes: { count: 1, mean: 500, max: 500 },
  });
  expect(lines.slice(-2)).toEqual([
    { dropped: 0, congested: 0, tracked: 3, otherLinks: 0, otherFlows: 0 },
    { datagrams: 3, faults: 0, lost: 3, late: 0, untold: 0, kernelDropped: 2 },
  ]);
});

test('postcards of several nodes, in any order, are one path by the TTL of the packet', () => {
  const card = (nodeId: number, ttl: number): Buffer =>
    datagram(nodeId, 1, [report(packetOf({ source: 'fd00::1', ttl }))]);
  const { totals } = totalsOf([card(3, 61), card(1, 63), card(2, 62)]);
  expect(pathNodes(totals)).toEqual([[1, 2, 3]]);
  expect(totals.flows.all()[0]?.name).toBe('[fd00::1]:7 -> [fd00::2]:5000 udp');
});

test('drops count by reason, and the times of a hop are its latency', () => {
  const dropped = report(packetOf(), {
    trackedFlow: false,
    dropped: true,
    congestedQueue: true,
    int: { ...PORTS, ingressTimestamp: 5, dropQueueId: 255, dropReason: 29 },
  });
  const timed = report(packetOf(), { int: { ingressTimestamp: 100, egressTimestamp: 175 } });
  const { totals } = totalsOf([datagram(7, 0, [dropped, timed])]);
  expect([...totals.drops]).toEqual([[29, 1]]);
  expect([totals.dropped, totals.congested, totals.tracked]).toEqual([1, 1, 1]);
  const timedLink = totals.links.all().find(({ egress }) => egress < 0);
  expect(timedLink?.latencyNs).toMatchObject({ count: 1, sum: 75 });
});

test('carriers and versions that are not read in place go through the decoder, to the same sums', () => {
  const hops = [{ nodeId: 1, ...PORTS, hopLatency: 10 }];
  const byPort = packetOf({
    hops,
    l4: { destinationPort: 50_000 },
    shim: [{ kind: 'int-shim', npt: 1, originalPort: 5000 }],
  });
  const { totals, collector } = totalsOf([datagram(9, 1, [report(byPort)])]);
  expect(collector.reports).toBe(1);
  expect(totals.tracked).toBe(1);
  expect(pathNodes(totals)).toEqual([[1, 9]]);
  const older = craftFrame([
    'ethernet',
    'ipv4',
    'udp',
    { kind: 'report-v1', nodeId: 4, sequence: 1, trackedFlow: true, ...PORTS, hopLatency: 8 },
    'ethernet',
    'ipv4',
    { kind: 'udp', destinationPort: 5000 },
    { kind: 'payload', text: 'abcd' },
  ]);
  const old = totalsOf([Buffer.from(older.subarray(HEADERS))]);
  expect(old.collector.reports).toBe(1);
  expect(old.totals.links.all()).toMatchObject([{ nodeId: 4, latencyNs: { sum: 8 } }]);
});

test('an incremental trace behind NSH becomes the path of the packet inside', () => {
  const hops = [3, 4, 5].map((nodeId, i) => ({
    ...PORTS,
    nodeId,
    transitDelay: i < 2 ? 70 + i : 0x8000_0000,
    queueDepth: 100 * i,
  }));
  const trace = { traceType: 0xca0000, isIncremental: true, hops };
  const layers = [
    { kind: 'ethernet' },
    { kind: 'nsh' },
    { kind: 'nsh-ioam', trace },
    { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.2' },
    { kind: 'udp', sourcePort: 7, destinationPort: 5000 },
  ];
  const { totals, collector } = totalsOf([datagram(5, 0, [{ trackedFlow: true, layers }])]);
  const lines = [...totalsLines(totals, { collector, kernelDropped: 0 })];
  const figures = (value: number) => expect.objectContaining({ max: value }) as object;
  expect(lines).toContainEqual(
    expect.objectContaining({
      flow: '10.0.0.1:7 -> 10.0.0.2:5000 udp',
      path: [
        {
          nodeId: 3,
          ingressPort: 1,
          egressPort: 2,
          latencyNs: figures(70),
          queueBytes: figures(0),
        },
        {
          nodeId: 4,
          ingressPort: 1,
          egressPort: 2,
          latencyNs: figures(71),
          queueBytes: figures(100),
        },
        { nodeId: 5, ingressPort: 1, egressPort: 2, latencyNs: null, queueBytes: figures(200) },
      ],
    }),
  );
});

test('what is cut anywhere is a fault or counted, and throws nothing', () => {
  const hops = [{ nodeId: 1, ...PORTS, hopLatency: 10 }];
  const whole = datagram(9, 1, [report(packetOf({ hops }))]);
  const { collector, intake } = totalsOf([]);
  for (let length = 0; length < whole.length; length++) {
    intake.add(whole.subarray(0, length), null);
    expect(collector.reports + collector.faults).toBe(length + 1);
  }
});

test('bits that ask for more than there is are a fault, and no figures', () => {
  const bytes = datagram(9, 1, [report(packetOf())]);
  bytes.writeUInt16BE(0x7f80, 12);
  const { totals, collector } = totalsOf([bytes]);
  expect([collector.faults, totals.links.all()]).toEqual([1, []]);
});

test('flows beyond the limit are counted and not kept', () => {
  const { totals, intake } = totalsOf([]);
  const bytes = datagram(9, 0, [report(packetOf())]);
  const sourceAt = bytes.indexOf(Buffer.from([10, 0, 0, 1]));
  for (let flow = 0; flow < FLOW_MAX + 5; flow++) {
    // Ports, which no checksum of the report's packet covers that readers look at.
    bytes.writeUInt32BE(flow + 1, sourceAt + 8);
    intake.add(bytes, null);
  }
  expect(totals.flows.all()).toHaveLength(FLOW_MAX);
  expect(totals.flows.others).toBe(5);
});

test('what no report tells of for long is forgotten and counted, and makes room', () => {
  const collector = new ReportCollector({}, new IdleClock(8000));
  const totals = new ReportTotals(collector);
  const intake = new ReportIntake(collector, [totals]);
  const seen = (node: number, flow: string, time: number): void =>
    intake.add(datagram(node, time, [report(packetOf({ source: flow }))]), time);
  seen(1, '10.0.0.1', 0);
  seen(2, '10.0.0.1', 1000);
  seen(3, '10.0.0.3', 1000);
  expect(pathNodes(totals)).toEqual([[1, 2], [3]]);
  seen(2, '10.0.0.1', 8500);
  expect(pathNodes(totals)).toEqual([[2], [3]]);
  seen(2, '10.0.0.1', 9500);
  expect(pathNodes(totals)).toEqual([[2]]);
  const lines = [...totalsLines(totals, { collector, kernelDropped: 0 })];
  expect(lines).toContainEqual({ forgotten: { flows: 1, hops: 2, links: 2, sources: 2 } });
  seen(4, '10.0.0.4', 9600);
  expect(pathNodes(totals)).toEqual([[2], [4]]);
});

test('flows that come and go for ever keep within the limits', () => {
  const collector = new ReportCollector({}, new IdleClock(80_000));
  const totals = new ReportTotals(collector);
  const intake = new ReportIntake(collector, [totals]);
  const bytes = datagram(9, 0, [report(packetOf())]);
  const portsAt = bytes.indexOf(Buffer.from([10, 0, 0, 1])) + 8;
  for (let flow = 0; flow < 3 * FLOW_MAX; flow++) {
    bytes.writeUInt32BE(flow + 1, portsAt);
    intake.add(bytes, 2 * flow);
  }
  const { flows } = totals;
  expect(flows.others).toBe(0);
  expect(flows.all().length + flows.forgotten).toBe(3 * FLOW_MAX);
  expect(flows.all().filter(({ isShown }) => isShown).length).toBe(1024);
});

const HOP = { ingress: 1, egress: 2, latencyNs: 7, queueBytes: -1 };

test('hops of a flow that changes its path all the time are counted beyond 32 of them', () => {
  const { flows } = totalsOf([]).totals;
  const flow = flows.named({ source: 'a', destination: 'b', protocol: 'udp' });
  if (flow === undefined) throw new Error('there is room for a flow');
  for (let node = 0; node < FLOW_HOP_MAX + 3; node++) {
    flows.addHop(flow, { ...HOP, nodeId: node }, 60);
    flows.addHop(flow, { ...HOP, nodeId: node }, 60);
  }
  expect([flows.pathOf(flow).length, flow.otherHops]).toEqual([FLOW_HOP_MAX, 6]);
  expect(flows.pathOf(flow)[31]).toMatchObject({
    nodeId: 31,
    latencyNs: { count: 2, sum: 14, max: 7 },
    queueBytes: { count: 0, sum: 0, max: 0 },
  });
});

test('hops of all flows beyond their limit are counted, and what is there goes on to be summed', () => {
  const { flows } = totalsOf([]).totals;
  const flowOf = (n: number) => {
    const flow = flows.named({ source: `h${n}`, destination: 'b', protocol: 'udp' });
    if (flow === undefined) throw new Error('there is room for a flow');
    return flow;
  };
  for (let n = 0; n < HOPS_MAX; n++) {
    flows.addHop(flowOf(Math.floor(n / FLOW_HOP_MAX)), { ...HOP, nodeId: n % FLOW_HOP_MAX }, 60);
  }
  const late = flowOf(HOPS_MAX / FLOW_HOP_MAX);
  flows.addHop(late, { ...HOP, nodeId: 1 }, 60);
  expect([flows.pathOf(late), late.otherHops]).toEqual([[], 1]);
  flows.addHop(flowOf(0), { ...HOP, nodeId: 0 }, 60);
  expect(flows.pathOf(flowOf(0))[0]?.latencyNs.count).toBe(2);
});
