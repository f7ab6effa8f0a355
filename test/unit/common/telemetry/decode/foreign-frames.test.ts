import { CaptureDecoder } from '../../../../../common/telemetry/decode/decode-capture';
import type { DecodedFrame } from '../../../../../common/telemetry/decode/decode-frame';
import { decodeFrameAt } from '../../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../../common/telemetry/decode/decode-settings';
import { LINK_ETHERNET } from '../../../../../common/wire/capture/link-type';
import { WireFault } from '../../../../../common/wire/fault';
import {
  emitIntPacket,
  intPacketLength,
  parseIntPacket,
} from '../../../../../common/wire/int/int-packet';
import { FOREIGN_FRAMES, LINK_FRAMES } from '../../../../support/wire/foreign-frames';
import { pcapFile } from '../../../../support/wire/pcap-file';

/** Ethernet, IPv4 and UDP. */
const HEADERS_LENGTH = 42;

function decode(bytes: Uint8Array, linkType = LINK_ETHERNET): DecodedFrame {
  const place = { bytes, at: 0, wireEnd: bytes.length, linkType };
  const decoded = decodeFrameAt(place, DEFAULT_DECODE_SETTINGS, 'auto');
  if (decoded instanceof WireFault) throw new Error(decoded.toString());
  return decoded;
}

const hopsOf = ({ telemetry }: DecodedFrame) =>
  telemetry.flatMap((found) => {
    if ('fault' in found) throw new Error(found.fault.toString());
    return found.hops;
  });

const frame = (name: string): Uint8Array => {
  const [, bytes] = FOREIGN_FRAMES.find(([known]) => known === name) ?? [];
  if (bytes === undefined) throw new Error(`no frame ${name}`);
  return bytes.slice();
};

describe('frames as other programs write them', () => {
  test.each(FOREIGN_FRAMES)(
    '%s shows its hops, and those of the packet inside',
    (_, bytes, ids) => {
      expect(hopsOf(decode(bytes)).map(({ switchId }) => switchId)).toEqual(ids);
    },
  );

  test('v0.5 has metadata of one word each, and what its sink restores', () => {
    const { telemetry } = decode(frame('INT v0.5'));
    expect(telemetry).toMatchObject([
      {
        details: { kind: 'int-v0.5', originalPort: 5000, originalProtocol: 17, originalDscp: 10 },
        hops: [
          {
            switchId: 1,
            timestamp: 10501,
            utilization: 0.05,
            fields: { congestedQueueId: 4, congestionStatus: 7, ingressTimestampNs: 10001 },
          },
          { switchId: 2 },
        ],
      },
    ]);
  });

  test('v1.0 with clocks of 64 bits is told by the length of its hops', () => {
    expect(decode(frame('INT v1.0 with clocks of 64 bits')).telemetry).toMatchObject([
      {
        details: { timestampBits: 64 },
        hops: [
          {
            timestamp: 0x60a24 * 2 ** 32 + 0x181e4385,
            fields: { ingressPortId2: 7, egressPortId2: 8 },
          },
          {},
        ],
      },
    ]);
  });

  test.each([
    ['INT v1.0', 6, /hop ml must be 3 words for its bitmap, found 5/, 5],
    ['INT v0.5', 5, /instruction count must be 8 for its bitmap, found 4/, 4],
  ] as const)('%s with another length than its bitmap is a fault', (name, at, message, length) => {
    const bytes = frame(name);
    bytes[HEADERS_LENGTH + at] = length;
    expect(decode(bytes).telemetry).toMatchObject([{ format: 'int' }]);
    const [found] = decode(bytes).telemetry;
    expect(found !== undefined && 'fault' in found ? found.fault.toString() : '').toMatch(message);
  });

  test.each(['INT v0.5', 'INT v1.0', 'INT v1.0 with clocks of 64 bits'])(
    '%s is written as it was',
    (name) => {
      const bytes = frame(name).slice(HEADERS_LENGTH, -2);
      const packet = parseIntPacket(bytes, 0);
      if (packet instanceof WireFault) throw new Error(packet.toString());
      const again = new Uint8Array(intPacketLength(packet)).fill(0xa5);
      emitIntPacket(packet, again, 0);
      expect(again).toEqual(bytes);
    },
  );

  test('reports before v2.0 have their flags, and the flow of the packet inside', () => {
    const [report, inside] = decode(frame('report v1.0 with all metadata, of IPv4')).telemetry;
    expect(report).toMatchObject({
      details: {
        version: '1.0',
        hardwareId: 3,
        sequence: 41,
        dropped: true,
        congestedQueue: true,
        trackedFlow: true,
        queueId: 2,
        dropReason: 0x50,
      },
      hops: [{ portId: 4, queueBytes: 12, timestamp: 0x1e4fc, utilization: 0.05 }],
    });
    expect(inside).toMatchObject({ details: { report: 1, innerFlow: { destinationPort: 5000 } } });
  });

  test.each([
    ['report v1.0', 0, 0x15, /length must be 4 words for its metadata, found 5/],
    ['report v1.0', 1, 0xe0, /next protocol must be 0 to 2, found 7/],
    ['report v0.5 of a drop', 0, 0x03, /next protocol must be 0 to 2, found 3/],
    ['report v2.0', 0, 0x30, /version must be 2, found 3/],
  ] as const)('%s that is none is a fault: byte %i', (name, at, value, message) => {
    const bytes = frame(name);
    bytes[HEADERS_LENGTH + at] = value;
    const [found] = decode(bytes).telemetry;
    expect(found !== undefined && 'fault' in found ? found.fault.toString() : '').toMatch(message);
  });

  test('that end early are faults, wherever they end', () => {
    for (const [, bytes] of FOREIGN_FRAMES) {
      for (let end = 0; end < bytes.length; end++) {
        const place = { bytes: bytes.subarray(0, end), at: 0, wireEnd: bytes.length };
        const settings = DEFAULT_DECODE_SETTINGS;
        expect(() =>
          decodeFrameAt({ ...place, linkType: LINK_ETHERNET }, settings, 'auto'),
        ).not.toThrow();
      }
    }
  });
});

describe('captures of each link', () => {
  test.each(LINK_FRAMES)('%s show the same hops', (_, linkType, bytes) => {
    const file = pcapFile([bytes], { linkType });
    const decoder = new CaptureDecoder();
    const [captured] = [...decoder.read(file), ...decoder.end()];
    if (captured === undefined || captured.decoded instanceof WireFault)
      throw new Error('no frame');
    expect(hopsOf(captured.decoded).map(({ switchId }) => switchId)).toEqual([1, 2]);
    for (let end = 0; end < bytes.length; end++) {
      const place = { bytes: bytes.subarray(0, end), at: 0, wireEnd: bytes.length, linkType };
      expect(() => decodeFrameAt(place, DEFAULT_DECODE_SETTINGS, 'auto')).not.toThrow();
    }
  });

  test('of another link are refused, with those that can be read', () => {
    const decoder = new CaptureDecoder({ name: 'wlan.pcap' });
    expect(() => [...decoder.read(pcapFile([new Uint8Array(60)], { linkType: 105 }))]).toThrow(
      'wlan.pcap: link type must be Ethernet (1), raw IP (101, 228, 229), Linux cooked (113, 276) or loopback (0), found 105',
    );
  });
});
