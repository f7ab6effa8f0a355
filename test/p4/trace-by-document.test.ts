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

/** A packet through three switches that the controller has set up: h1 - s1 - s2 - s3 - h2. */
const MS = 60_000;
const NAMES = ['s1', 's2', 's3'];
const NODE_WORDS = 5;

const documentOf = (addresses: readonly string[], roomWords: number): NetworkText => ({
  program: 'ioam',
  telemetry: {
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
    { name: 'h2', ipv4: '10.0.0.2' },
  ],
  links: [
    { between: ['h1', 's1:1'], rate: '100 Mb/s' },
    { between: ['s1:2', 's2:1'], rate: '100 Mb/s' },
    { between: ['s2:2', 's3:1'], rate: '100 Mb/s' },
    { between: ['s3:2', 'h2'], rate: '100 Mb/s' },
  ],
});

/** The frame of h1, after all switches. */
async function across(targets: readonly P4RuntimeTarget[]): Promise<Uint8Array> {
  let frame: Uint8Array = craftFrame([
    { kind: 'ethernet' },
    { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.2' },
    { kind: 'udp', sourcePort: 7, destinationPort: 5000 },
    { kind: 'payload', text: 'a packet on a service path' },
  ]);
  for (const { dataplane } of targets) {
    dataplane.send(1, frame);
    const [text = ''] = await dataplane.sent(1);
    const [port, hex = ''] = text.split(' ');
    expect(port).toBe('2');
    frame = Uint8Array.from(Buffer.from(hex, 'hex'));
  }
  return frame;
}

async function traceOf(start: () => Promise<P4RuntimeTarget>, roomWords: number) {
  const targets: P4RuntimeTarget[] = [];
  try {
    while (targets.length < NAMES.length) targets.push(await start());
    await applyDocument(
      documentOf(
        targets.map(({ address }) => address),
        roomWords,
      ),
      MS,
    );
    const frame = await across(targets);
    const decoded = decodeFrame(frame, frame.length, DEFAULT_DECODE_SETTINGS, 'auto');
    if (decoded instanceof WireFault) throw new Error(decoded.toString());
    return decoded;
  } finally {
    for (const target of targets) await target.stop();
  }
}

function tracesOf(start: () => Promise<P4RuntimeTarget>): void {
  test(
    'a packet comes to the host with the data of every switch of its path, in order',
    async () => {
      const { telemetry, ip, transport } = await traceOf(start, 50);
      const details = { isIncremental: true, overflow: false, pathId: 9, nshTtl: 60 };
      const ports = { ingressPortId: 1, portId: 2 };
      expect(telemetry).toMatchObject([
        {
          format: 'ioam',
          details: { ...details, remainingWords: 50 - NAMES.length * NODE_WORDS },
          hops: [1, 2, 3].map((switchId) => ({ switchId, ...ports })),
        },
      ]);
      expect([ip?.source, transport?.sourcePort]).toEqual(['10.0.0.1', 7]);
    },
    MS,
  );

  test(
    'where there is room for two, the third sets O',
    async () => {
      const { telemetry } = await traceOf(start, 2 * NODE_WORDS + 1);
      expect(telemetry).toMatchObject([
        {
          details: { overflow: true, remainingWords: 1 },
          hops: [{ switchId: 1 }, { switchId: 2 }],
        },
      ]);
    },
    MS,
  );
}

describe('on the embedded switch', () => tracesOf(() => startEmbedded()));

describeIf(bmv2Available(), 'on bmv2', 'simple_switch_grpc is not on PATH', () =>
  tracesOf(startBmv2Target),
);
