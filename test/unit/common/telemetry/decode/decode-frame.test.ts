import * as fs from 'node:fs';
import { decodeFrame } from '../../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../../common/telemetry/decode/decode-settings';
import type { DecodeSettings } from '../../../../../common/telemetry/decode/decode-settings';
import type { DecodeFormat } from '../../../../../common/telemetry/decode/telemetry';
import { ipv6Text } from '../../../../../common/telemetry/decode/frame-layers';
import { telemetryLine } from '../../../../../common/telemetry/decode/telemetry-line';
import { readUint16, writeUint16 } from '../../../../../common/wire/bytes';
import { WireFault } from '../../../../../common/wire/fault';
import { internetChecksum } from '../../../../../common/wire/ip/checksum';
import { TRIMMED_DSCP } from '../../../../../common/wire/ip/trimming';
import { readCapture } from '../../../../../common/wire/capture/capture';
import { runFeedback } from '../../../../support/feedback-run';
import { faultText } from '../../../../support/fault-text';
import { fromHex } from '../../../../support/hex';
import { fixture } from '../../../../support/paths';
import { formatFrames } from '../../../../support/wire/format-frames';

interface Options {
  readonly settings?: Partial<DecodeSettings>;
  readonly wanted?: DecodeFormat | 'auto';
}

/** Lines for a frame, parsed again as a reader of the command's output would. */
function lines(bytes: Uint8Array, { settings = {}, wanted = 'auto' }: Options = {}): unknown[] {
  const all = { ...DEFAULT_DECODE_SETTINGS, ...settings };
  const decoded = decodeFrame(bytes, bytes.length, all, wanted);
  if (decoded instanceof WireFault) return [decoded.toString()];
  return decoded.telemetry.map(
    (found) => JSON.parse(JSON.stringify(telemetryLine(1, undefined, decoded, found))) as unknown,
  );
}

function frame(name: string): Uint8Array {
  const [, bytes] = formatFrames().find(([candidate]) => candidate === name) ?? [];
  if (bytes === undefined) throw new Error(`no frame ${name}`);
  return bytes;
}

const PATH = [{ switchId: 1 }, { switchId: 2 }];

describe('a frame', () => {
  test.each<[string, object[]]>([
    ['INT-A', [{ format: 'int', kind: 'int-md', originalPort: 4791, hops: PATH }]],
    ['INT-B', [{ format: 'int', originalDscp: 10, hops: [{ switchId: 10 }, { switchId: 11 }] }]],
    ['INT-C', [{ format: 'int', originalProtocol: 6, hops: [{ queueBytes: 100 }, {}] }]],
    ['INT-D', [{ format: 'int', kind: 'int-v1', hops: [{ switchId: 10 }, { switchId: 11 }] }]],
    ['INT-F', [{ format: 'int', kind: 'int-mx', domainId: '0x4850', hops: [] }]],
    ['INT-R', [{ format: 'report', sequence: 5, hops: [{ switchId: 1, queueBytes: 1200 }] }]],
    ['HPCC data', [{ format: 'int', remainingHops: 3, hops: PATH }]],
    [
      'HPCC acknowledgement',
      [
        { format: 'hpcc', kind: 'ack', flowId: 7, sequence: 1024, echo: true, nack: false },
        { format: 'int', echoOfFlow: 7, acknowledgement: 1024, hops: PATH },
      ],
    ],
    ['IFA-B', [{ format: 'ifa', version: 2, inBand: true, hops: [{}, {}] }]],
    ['IFA-1', [{ format: 'ifa', version: 1, hopLimit: 5, hops: [{ txBytes: 0x1234567880 }] }]],
    ['CSIG', [{ format: 'csig', signalType: 'min-bandwidth-fraction', signalBucket: 23 }]],
    ['CCM tag', [{ format: 'ccm', kind: 'tag', congestionControl: true }]],
    ['CCM notification', [{ format: 'ccm', type: 'control-required', isAuthenticated: true }]],
    ['CNP', [{ format: 'roce', kind: 'congestion-notification', becn: true }]],
    [
      'TREQ',
      [
        { format: 'int', hops: [] },
        { format: 'roce', kind: 'request', requestId: 66 },
      ],
    ],
    ['TRSP', [{ format: 'roce', kind: 'response', hops: [{ switchId: 1, portId: 17 }] }]],
    ['IOAM', [{ format: 'ioam', traceType: '0xd20800', hops: PATH }]],
  ])('of %s shows its telemetry', (name, wanted) => {
    expect(lines(frame(name))).toMatchObject(wanted);
  });

  test('that acknowledges several packets shows the telemetry of all, the latest first', () => {
    const [ack] = runFeedback({ acknowledgeEvery: 3 }, 3000).back;
    const [header, ...found] = lines(ack?.bytes ?? new Uint8Array(0));
    expect(header).toMatchObject({ format: 'hpcc', kind: 'ack', accumulated: true });
    const times = found.map(
      (line) => (line as { hops: { timestampNs: number }[] }).hops[0]?.timestampNs,
    );
    expect(found).toMatchObject(
      Array.from({ length: 3 }, () => ({ format: 'int', acknowledgement: 3000 })),
    );
    const [latest, ...others] = times;
    expect([...others, latest]).toEqual(times.toSorted((a = 0, b = 0) => a - b));
    expect(new Set(times).size).toBe(3);
  });

  test('of INT shows the coordination tag in its DS flags, in the domain that has one', () => {
    const bytes = frame('INT-A').slice();
    const flagsAt = 14 + 20 + 8 + 14;
    bytes.set([0xc2, 0x11], flagsAt);
    const coordination = { congestionControl: true, reroutingPoint: 0x211 };
    expect(lines(bytes)).toMatchObject([{ format: 'int', dsFlags: '0xc211', coordination }]);
    bytes.set([0x20, 0x11], flagsAt);
    expect(lines(bytes)[0]).not.toHaveProperty('coordination');
    bytes.set([0xc2, 0x11], flagsAt);
    bytes.set([0x48, 0x51], flagsAt - 4);
    expect(lines(bytes)[0]).not.toHaveProperty('coordination');
  });

  test('names units, flow and every field of a hop', () => {
    expect(lines(frame('INT-A'))).toEqual([
      {
        frame: 1,
        flow: {
          source: '10.0.0.1',
          destination: '10.0.0.2',
          protocol: 'udp',
          sourcePort: 49152,
          destinationPort: 50000,
          dscp: 0,
        },
        format: 'int',
        kind: 'int-md',
        originalPort: 4791,
        instructionBitmap: '0xd400',
        domainId: '0x4850',
        dsInstruction: '0xc000',
        dsFlags: '0x0000',
        discard: false,
        hopLimitExceeded: false,
        mtuExceeded: false,
        remainingHops: 3,
        hopWords: 8,
        hops: [
          {
            switchId: 1,
            portId: 0x11,
            ingressPortId: 3,
            queueId: 3,
            timestampNs: 0x9cfe362a0000,
            timestampModulusNs: 2 ** 48,
            txBytes: 0x1234567880,
            txModulusBytes: 2 ** 48,
            queueBytes: 1200,
            capacityBitsPerSecond: 100e9,
          },
          {
            switchId: 2,
            portId: 0x22,
            ingressPortId: 0x21,
            queueId: 3,
            timestampNs: 0x9cfe362a05dc,
            timestampModulusNs: 2 ** 48,
            txBytes: 0xffffff80,
            txModulusBytes: 2 ** 48,
            queueBytes: 0,
            capacityBitsPerSecond: 400e9,
          },
        ],
      },
    ]);
  });

  test('shows HPCC padding only where it is asked for', () => {
    expect(lines(frame('PAD-1'))).toEqual([]);
    const padded = lines(frame('PAD-1'), { settings: { padding: 'published' } });
    expect(padded).toMatchObject([
      { format: 'padding', pathId: '0x365', hops: [{ txBytes: 90074880, queueBytes: 20640 }, {}] },
    ]);
  });

  test('shows RoCE data only where it is asked for', () => {
    expect(lines(frame('INT-A'), { wanted: 'roce' })).toMatchObject([
      { format: 'roce', opcode: 4, psn: 0xabcdef, hops: [] },
    ]);
  });

  test('shows one format where it is asked for', () => {
    expect(lines(frame('TREQ'), { wanted: 'int' })).toHaveLength(1);
    expect(lines(frame('TREQ'), { wanted: 'ioam' })).toEqual([]);
  });

  test('with a probe marker has INT after it', () => {
    const marked = frame('INT-D').slice();
    // The marker takes the place of the first 8 bytes of the payload, and the DSCP is another.
    marked.set(fromHex('0123456789abcdef'), 42);
    marked[15] = 0;
    marked.set(fromHex('b7'), 24);
    const settings = { intMarker: [0x01234567, 0x89abcdef] as const };
    expect(lines(withIpChecksum(marked), { settings })).toMatchObject([{ format: 'int' }]);
  });

  test('with damaged telemetry says where and why', () => {
    const damaged = frame('INT-A').slice();
    damaged[43] = 255;
    expect(lines(damaged)).toMatchObject([
      {
        format: 'int',
        fault: { header: 'int-shim', offset: 42, reason: 'needs 1024 bytes, 112 left', need: 1024 },
      },
    ]);
  });

  describe('that a switch has cut to its headers', () => {
    /** HPCC data of which a byte of payload is left, with a DSCP in the shim of INT. */
    function cut(dscp: number): Uint8Array {
      const whole = frame('HPCC data');
      const transport = lines(whole, { wanted: 'hpcc' })[0] as { length: number };
      const bytes = whole.slice(0, whole.length - transport.length + 1);
      const missing = transport.length - 1;
      writeUint16(bytes, 16, readUint16(bytes, 16) - missing);
      writeUint16(bytes, 38, readUint16(bytes, 38) - missing);
      writeUint16(bytes, 24, 0);
      writeUint16(bytes, 24, internetChecksum(bytes.subarray(14, 34)));
      // Behind UDP; DSCP is in the upper bits of the shim's last byte.
      bytes[45] = dscp << 2;
      return bytes;
    }

    test('shows its header and telemetry, and that it was cut', () => {
      const whole = lines(frame('HPCC data'), { wanted: 'hpcc' })[0] as object;
      const telemetry = { format: 'int', remainingHops: 3, hops: PATH, originalDscp: TRIMMED_DSCP };
      const header = { format: 'hpcc', kind: 'data', trimmed: true };
      expect(lines(cut(TRIMMED_DSCP))).toMatchObject([telemetry, header]);
      expect(lines(cut(TRIMMED_DSCP), { wanted: 'hpcc' })).toEqual([{ ...whole, trimmed: true }]);
    });

    test('is damaged without the DSCP of those that were cut', () => {
      expect(JSON.stringify(lines(cut(10), { wanted: 'hpcc' }))).toContain('length must be 1');
    });
  });

  test('with a damaged IP header is a fault', () => {
    const damaged = frame('INT-A').slice();
    damaged[22] = 9;
    expect(lines(damaged)).toEqual(['ipv4 at byte 24: wrong header checksum']);
  });

  test('that was cut inside its UDP header is a fault, and no byte outside is read', () => {
    const bytes = frame('INT-A').slice(0, 38);
    const decoded = decodeFrame(bytes, 154, DEFAULT_DECODE_SETTINGS, 'auto');
    expect(faultText(decoded)).toBe('udp at byte 34: needs 8 bytes, 4 left');
  });

  test('of captures by the Linux kernel shows what the kernel wrote', () => {
    const file = new Uint8Array(fs.readFileSync(fixture('wire', 'ioam6-linux-6.18-qdepth.pcapng')));
    const depths = [...readCapture(file)].flatMap((captured) =>
      captured instanceof WireFault ? ['fault'] : lines(captured.bytes),
    );
    expect(depths).toMatchObject(
      [0, 0, 0, 98, 196].map((queueBytes) => ({ hops: [{ switchId: 0xabcdef, queueBytes }] })),
    );
  });
});

function withIpChecksum(bytes: Uint8Array): Uint8Array {
  bytes.set([0, 0], 24);
  let sum = 0;
  for (let at = 14; at < 34; at += 2) sum += (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
  const checksum = 0xffff - ((sum & 0xffff) + (sum >>> 16));
  bytes.set([checksum >>> 8, checksum & 0xff], 24);
  return bytes;
}

test.each([
  ['2001:db8::1', [0x20010db8, 0, 0, 1]],
  ['::', [0, 0, 0, 0]],
  ['fe80::1:0:0:1', [0xfe800000, 0, 0x10000, 1]],
  ['1:0:2:3:4:5:6:7', [0x10000, 0x20003, 0x40005, 0x60007]],
] as const)('IPv6 addresses are written as %s', (text, words) => {
  expect(ipv6Text(words)).toBe(text);
});
