import { DEFAULT_DECODE_SETTINGS, FORMATS } from '../../../../../common/telemetry/entry';
import { WireFault, decodeFrame } from '../../../../../common/telemetry/entry';
import type { IntPacket, Ipv4Header, WireFormat } from '../../../../../common/telemetry/entry';

function written<T extends object>(format: WireFormat<T>, header: T): Uint8Array {
  const bytes = new Uint8Array(format.length(header));
  format.emit(header, bytes);
  return bytes;
}

test('a packet that a user of the library writes is one that it reads', () => {
  const packet: IntPacket = {
    kind: 'int-md',
    shim: { type: 1, words: 9, npt: 0, originalDscp: 0 },
    header: {
      discard: false,
      hopLimitExceeded: false,
      mtuExceeded: false,
      hopWords: 6,
      remainingHops: 3,
      instructionBitmap: 0xd500,
      domainId: 7,
      dsInstruction: 0,
      dsFlags: 0,
    },
    stack: {
      blocks: [
        {
          nodeId: 5,
          ingressInterface: 1,
          egressInterface: 2,
          queueId: 0,
          queueOccupancy: 9,
          egressTimestamp: { high: 0, low: 77 },
          txUtilization: 3,
          domain: [],
        },
      ],
      sourceOnly: new Uint8Array(),
    },
  };
  const udpLength = 8 + FORMATS['int-packet'].length(packet);
  const ipv4 = {
    dscp: 0x17,
    ecn: 0,
    totalLength: 20 + udpLength,
    identification: 0,
    ttl: 64,
    protocol: 17,
    source: 0x0a000001,
    destination: 0x0a000002,
  };
  const udp = { sourcePort: 9, destinationPort: 10, length: udpLength, checksum: 0 };
  const frame = Buffer.concat([
    written(FORMATS.ethernet, { destination: 2, source: 1, etherType: 0x0800 }),
    written<Ipv4Header>(FORMATS.ipv4, ipv4),
    written(FORMATS.udp, udp),
    written(FORMATS['int-packet'], packet),
  ]);
  const decoded = decodeFrame(frame, frame.length, DEFAULT_DECODE_SETTINGS, 'int');
  if (decoded instanceof WireFault) throw new Error(decoded.toString());
  expect(decoded.telemetry).toMatchObject([{ format: 'int', hops: [{ switchId: 5 }] }]);
});

test('formats read from the start of the bytes to their end unless told', () => {
  const tag = { tpid: 0x9900, type: 2, signal: 7, locator: 0x15, doNotUpdate: false };
  const bytes = new Uint8Array(4);
  FORMATS['csig-ietf'].emit(tag, bytes);
  expect(FORMATS['csig-ietf'].parse(bytes)).toEqual(tag);
  expect(FORMATS['csig-ietf'].parse(bytes.subarray(0, 3))).toBeInstanceOf(WireFault);
  expect(FORMATS['csig-ietf'].parse(bytes, 1)).toMatchObject({ header: 'csig', offset: 1 });
});
