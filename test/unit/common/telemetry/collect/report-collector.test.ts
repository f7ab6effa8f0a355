import { ReportCollector } from '../../../../../common/telemetry/collect/report-collector';
import { IdleClock } from '../../../../../common/telemetry/collect/idle-clock';
import { SequenceGaps } from '../../../../../common/telemetry/collect/sequence-gaps';
import { craftFrame } from '../../../../../common/telemetry/craft/kinds';
import { WireFault } from '../../../../../common/wire/fault';

const UPSTREAM = [
  { kind: 'ethernet' },
  { kind: 'ipv4', source: '10.0.0.9' },
  { kind: 'udp', destinationPort: 5000 },
  { kind: 'int-shim' },
  {
    kind: 'int-md',
    hops: [
      { nodeId: 1, hopLatency: 4 },
      { nodeId: 2, hopLatency: 5 },
    ],
  },
];

const report = (sequence: number): Uint8Array =>
  craftFrame([
    {
      kind: 'report',
      nodeId: 3,
      hardwareId: 7,
      sequence,
      reports: [{ trackedFlow: true, int: { hopLatency: 6 }, layers: UPSTREAM }],
    },
  ]);

test('reports of all versions come with the hops of the reporting node and of the packet inside', () => {
  const collector = new ReportCollector();
  const found = collector.add(report(5));
  if (found instanceof WireFault) throw new Error(found.toString());
  expect(found).toMatchObject({ nodeId: 3, hardwareId: 7, sequence: 5, lostBefore: 0 });
  expect(found.inner[0]?.flow).toMatchObject({ source: '10.0.0.9', destinationPort: 5000 });
  expect(found.inner[0]?.hops.map(({ switchId }) => switchId)).toEqual([1, 2]);
  for (const kind of ['report-v1', 'report-v0.5']) {
    const older = collector.add(
      craftFrame([
        {
          kind,
          nodeId: 4,
          hardwareId: 1,
          sequence: 9,
          queueId: 0,
          queueOccupancy: 1,
          egressTimestamp: 2,
          ingressInterface: 1,
          egressInterface: 2,
        },
        ...UPSTREAM,
      ]),
    );
    expect(older).toMatchObject({ nodeId: 4, hardwareId: 1, sequence: 9 });
  }
  expect(collector.add(new Uint8Array(3))).toBeInstanceOf(WireFault);
  expect(collector).toMatchObject({ reports: 3, faults: 1, untold: 0 });
});

test('packets without INT have flow and TTL, those of direct export their option, and damaged ones a fault', () => {
  const packet = (options: object[]): object[] => [
    { kind: 'ipv6', source: 'fd00::9', hopLimit: 61 },
    ...options,
    { kind: 'udp', sourcePort: 7, destinationPort: 5000 },
    { kind: 'payload', text: 'abcd' },
  ];
  const directExport = { namespaceId: 7, traceType: 0xc00000, flowId: 77, sequence: 5 };
  const reports = [
    { layers: packet([]), int: { hopLatency: 6 } },
    { layers: packet([{ kind: 'hop-by-hop', options: [{ directExport }] }]) },
    { innerType: 4, inner: '45000000' },
  ];
  const collector = new ReportCollector();
  const found = collector.add(craftFrame([{ kind: 'report', nodeId: 3, reports }]));
  const flow = { source: 'fd00::9', sourcePort: 7, destinationPort: 5000 };
  expect(found).toMatchObject({
    inner: [
      { report: 1, flow, timeToLive: 61, hops: [] },
      { report: 2, flow, directExport: { namespaceId: 7, flowId: 77, sequence: 5 } },
      { report: 3, flow: null, fault: expect.stringContaining('ipv4') as unknown },
    ],
  });
});

test('gaps of each source are counted, late ones are not lost, and numbers begin again', () => {
  const collector = new ReportCollector();
  const last = 2 ** 22 - 1;
  const gaps = [last - 3, last, 0, last - 1, 2].map((sequence) => {
    const found = collector.add(report(sequence));
    return found instanceof WireFault ? -1 : found.lostBefore;
  });
  expect(gaps).toEqual([0, 2, 0, 0, 1]);
  expect(collector.sources()).toEqual([
    { nodeId: 3, hardwareId: 7, received: 5, lost: 2, late: 1 },
  ]);
});

test('sources beyond those that fit are counted together', () => {
  const gaps = new SequenceGaps(new IdleClock());
  for (let nodeId = 0; nodeId < 65_540; nodeId++) gaps.add({ nodeId, hardwareId: 0 }, 1, 2 ** 22);
  expect([gaps.sources().length, gaps.others]).toEqual([65_536, 4]);
});
