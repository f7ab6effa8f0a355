import { craftFrame, dissectFrame } from '../../../../../common/telemetry/craft/kinds';
import type { AnyLayer } from '../../../../../common/telemetry/craft/layer';
import { decodeFrame } from '../../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../../common/telemetry/decode/decode-settings';
import { JUDGED_ROLES, RoleJudge } from '../../../../../common/telemetry/judge/roles';
import { WireFault } from '../../../../../common/wire/fault';
import { maskedTraceHeader } from '../../../../../common/wire/ioam/ioam-integrity';
import { computeIcrc } from '../../../../../common/wire/roce/icrc';
import { formatFrames } from '../../../../support/wire/format-frames';

const TRACE = { namespaceId: 7, traceType: 0xc00000, isIncremental: true, remainingWords: 3 };
const HOPS = [
  { hopLimit: 63, nodeId: 5, ingressInterface: 1, egressInterface: 2 },
  { hopLimit: 62, nodeId: 6, ingressInterface: 3, egressInterface: 4 },
];
const TAIL: readonly AnyLayer[] = [
  { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.2' },
  { kind: 'udp', sourcePort: 7, destinationPort: 5000 },
  { kind: 'payload', text: 'abcd' },
];

function decoded(bytes: Uint8Array) {
  const found = decodeFrame(bytes, bytes.length, DEFAULT_DECODE_SETTINGS, 'auto');
  if (found instanceof WireFault) throw new Error(found.toString());
  return found;
}

const PATH = [
  { switchId: 5, portId: 2, ingressPortId: 1 },
  { switchId: 6, portId: 4 },
];
const OPTION = { kind: 'nsh-ioam', trace: { ...TRACE, hops: HOPS } };
const NSH = { kind: 'nsh', pathId: 9, serviceIndex: 254, ttl: 30 };

test('no frame in a Buffer is changed by those who read it', () => {
  const nsh = craftFrame([{ kind: 'ethernet' }, NSH, OPTION, ...TAIL]);
  for (const [name, bytes] of [...formatFrames(), ['NSH', nsh] as const]) {
    const buffer = Buffer.from(bytes);
    decodeFrame(buffer, buffer.length, DEFAULT_DECODE_SETTINGS, 'auto');
    dissectFrame(buffer);
    computeIcrc(buffer, 14, buffer.length - 4);
    maskedTraceHeader(buffer, 14);
    for (const role of JUDGED_ROLES)
      new RoleJudge(role).judge({ sent: buffer, returned: [buffer] });
    expect([name, buffer.toString('hex')]).toEqual([name, Buffer.from(bytes).toString('hex')]);
  }
});

describe('IOAM behind NSH', () => {
  test('is an incremental trace, the nodes of which are in the order of the path', () => {
    const { telemetry, ip, transport } = decoded(
      craftFrame([{ kind: 'ethernet' }, NSH, OPTION, ...TAIL]),
    );
    const details = { kind: 'trace', isIncremental: true, pathId: 9, serviceIndex: 254 };
    expect(telemetry).toMatchObject([
      { format: 'ioam', details: { ...details, nshTtl: 30, remainingWords: 3 }, hops: PATH },
    ]);
    expect([ip?.destination, transport?.destinationPort]).toEqual(['10.0.0.2', 5000]);
  });

  test('is on the wire as RFC 9452 and RFC 9197 have it', () => {
    const frame = Buffer.from(craftFrame([{ kind: 'ethernet' }, NSH, OPTION, ...TAIL]));
    const header = '894f' + '07820206' + '000009fe' + '01070001';
    const trace = '00071003' + 'c0000000' + '3e000006' + '00030004' + '3f000005' + '00010002';
    expect(frame.toString('hex').slice(24)).toMatch(new RegExp(`^${header}${trace}45`));
  });

  test('is found in every header, with context, and in a frame inside', () => {
    const other = { kind: 'nsh-ioam', edgeToEdge: { namespaceId: 7, sequence: 4 } };
    const frame = craftFrame([
      { kind: 'ethernet' },
      { ...NSH, mdType: 1, context: '00'.repeat(16) },
      other,
      OPTION,
      { kind: 'ethernet' },
      ...TAIL,
    ]);
    const { telemetry, transport } = decoded(frame);
    expect(telemetry).toMatchObject([{ details: { kind: 'edge-to-edge' } }, { hops: PATH }]);
    expect(transport?.destinationPort).toBe(5000);
  });

  test('is found in VXLAN-GPE, with telemetry of the packet inside', () => {
    const inner = [
      TAIL[0] as AnyLayer,
      { kind: 'udp', destinationPort: 5000 },
      { kind: 'int-shim' },
      { kind: 'int-md', hops: [{ nodeId: 3 }] },
      { kind: 'payload', text: 'x' },
    ];
    const tunnel = ['ethernet', 'ipv4', 'udp', { kind: 'vxlan-gpe', vni: 77 }];
    const { telemetry } = decoded(craftFrame([...tunnel, NSH, OPTION, ...inner]));
    expect(telemetry).toMatchObject([
      { format: 'ioam', details: { tunnel: 'vxlan-gpe', vni: 77, pathId: 9 }, hops: PATH },
      { format: 'int', details: { tunnel: 'vxlan-gpe', vni: 77 }, hops: [{ switchId: 3 }] },
    ]);
  });

  test('is a fault at the place where it is damaged or cut', () => {
    const frame = craftFrame([{ kind: 'ethernet' }, NSH, OPTION]);
    for (let length = 14; length < frame.length; length++) {
      const cut = decoded(frame.subarray(0, length)).telemetry;
      expect(cut).toMatchObject([{ format: 'ioam', fault: expect.any(WireFault) as object }]);
    }
    const payload = { kind: 'payload', text: 'abcd' };
    const wrongWords = craftFrame([{ kind: 'ethernet' }, NSH, { ...OPTION, words: 6 }, payload]);
    const [found] = decoded(wrongWords).telemetry;
    // One word of a node that has two is left.
    expect(found).toMatchObject({ fault: { header: 'ioam-node', offset: 14 + 8 + 4 + 8 + 8 } });
  });

  test('is nothing where NSH carries no IOAM', () => {
    expect(decoded(craftFrame([{ kind: 'ethernet' }, NSH, ...TAIL])).telemetry).toEqual([]);
  });
});
