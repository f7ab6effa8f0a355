import { craftFrame } from '../../common/telemetry/craft/kinds';
import { decodeFrame } from '../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { WireFault } from '../../common/wire/fault';
import type { NetworkText } from '../../controller/document/schema';
import { applyDocument } from '../../controller/io/apply-network';
import { startBmv2Target } from '../conformance/bmv2-target';
import { startEmbedded } from '../conformance/embedded-target';
import type { P4RuntimeTarget } from '../conformance/p4runtime-target';
import { bmv2Available } from '../support/bmv2-process';
import { describeIf } from '../support/requires';

/** A packet through three switches that the controller has set up: h1 - s1 - s2 - s3 - h2, and h3 at s3. */
const MS = 60_000;
const NAMES = ['s1', 's2', 's3'];
const NODE_WORDS = 5;
const COLLECTOR_PORT = 50_003;

/** Room of the trace, and whether the host at the end takes NSH. */
interface PathEnd {
  readonly roomWords?: number;
  readonly telemetry?: boolean;
}

const documentOf = (
  addresses: readonly string[],
  { roomWords = 50, telemetry = true }: PathEnd,
): NetworkText => ({
  program: 'ioam',
  telemetry: {
    collector: { host: 'h3', port: COLLECTOR_PORT },
    ioam: {
      namespaces: [{ id: 7, hpcc: true }],
      servicePaths: [
        { id: 9, to: 'h2', namespace: 7, roomWords, watch: [{ switch: 's1', to: '10.0.0.2/32' }] },
      ],
    },
  },
  switches: NAMES.map((name, i) => ({ name, address: addresses[i] ?? '', deviceId: 1 })),
  hosts: [
    { name: 'h1', ipv4: '10.0.0.1' },
    { name: 'h2', ipv4: '10.0.0.2', telemetry },
    { name: 'h3', ipv4: '10.0.0.3' },
  ],
  links: [
    { between: ['h1', 's1:1'], rate: '100 Mb/s' },
    { between: ['s1:2', 's2:1'], rate: '100 Mb/s' },
    { between: ['s2:2', 's3:1'], rate: '100 Mb/s' },
    { between: ['s3:2', 'h2'], rate: '100 Mb/s' },
    { between: ['s3:3', 'h3'], rate: '100 Mb/s' },
  ],
});

/** Frames that leave the last switch for a frame of h1, by their port. */
async function across(
  targets: readonly P4RuntimeTarget[],
  { telemetry = true }: PathEnd,
): Promise<ReadonlyMap<string, Uint8Array>> {
  let frame: Uint8Array = craftFrame([
    { kind: 'ethernet' },
    { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.2' },
    { kind: 'udp', sourcePort: 7, destinationPort: 5000 },
    { kind: 'payload', text: 'a packet on a service path' },
  ]);
  let left: ReadonlyMap<string, Uint8Array> = new Map();
  for (const { dataplane } of targets) {
    dataplane.send(1, frame);
    const isLast = dataplane === targets.at(-1)?.dataplane;
    const texts = await dataplane.sent(isLast && !telemetry ? 2 : 1);
    left = new Map(
      texts.map((text) => {
        const [port = '', hex = ''] = text.split(' ');
        return [port, Uint8Array.from(Buffer.from(hex, 'hex'))];
      }),
    );
    frame = left.get('2') ?? new Uint8Array();
  }
  return left;
}

function decoded(frame: Uint8Array = new Uint8Array()) {
  const found = decodeFrame(frame, frame.length, DEFAULT_DECODE_SETTINGS, 'auto');
  if (found instanceof WireFault) throw new Error(found.toString());
  return found;
}

async function leaving(
  start: () => Promise<P4RuntimeTarget>,
  end: PathEnd,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const targets: P4RuntimeTarget[] = [];
  try {
    while (targets.length < NAMES.length) targets.push(await start());
    const addresses = targets.map(({ address }) => address);
    await applyDocument(documentOf(addresses, end), MS);
    return await across(targets, end);
  } finally {
    for (const target of targets) await target.stop();
  }
}

const HOPS = [1, 2, 3].map((switchId) => ({ switchId, ingressPortId: 1, portId: 2 }));

function tracesOf(start: () => Promise<P4RuntimeTarget>): void {
  test(
    'a packet comes to the host with the data of every switch of its path, in order',
    async () => {
      const { telemetry, ip, transport } = decoded((await leaving(start, {})).get('2'));
      const details = { isIncremental: true, overflow: false, pathId: 9, nshTtl: 60 };
      expect(telemetry).toMatchObject([
        {
          format: 'ioam',
          details: { ...details, remainingWords: 50 - NAMES.length * NODE_WORDS },
          hops: HOPS,
        },
      ]);
      expect([ip?.source, transport?.sourcePort]).toEqual(['10.0.0.1', 7]);
    },
    MS,
  );

  test(
    'where there is room for two, the third sets O',
    async () => {
      const left = await leaving(start, { roomWords: 2 * NODE_WORDS + 1 });
      const { telemetry } = decoded(left.get('2'));
      expect(telemetry).toMatchObject([
        {
          details: { overflow: true, remainingWords: 1 },
          hops: [{ switchId: 1 }, { switchId: 2 }],
        },
      ]);
    },
    MS,
  );

  test(
    'before a host without telemetry it is as it was, and the collector gets its trace',
    async () => {
      const left = await leaving(start, { telemetry: false });
      const { telemetry, ip, transport } = decoded(left.get('2'));
      expect(telemetry).toEqual([]);
      expect([ip?.destination, transport?.destinationPort]).toEqual(['10.0.0.2', 5000]);
      const report = left.get('3') ?? new Uint8Array();
      expect(decoded(report).telemetry).toMatchObject([
        { format: 'report', details: { nodeId: 3, reports: [{ trackedFlow: true }] } },
        { format: 'ioam', details: { isIncremental: true, pathId: 9 }, hops: HOPS },
      ]);
    },
    MS,
  );
}

describe('on the embedded switch', () => tracesOf(() => startEmbedded()));

describeIf(bmv2Available(), 'on bmv2', 'simple_switch_grpc is not on PATH', () =>
  tracesOf(startBmv2Target),
);
