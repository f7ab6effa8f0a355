import { readUint16 } from '../../../../../common/wire/bytes';
import { withoutTag } from '../../../../../common/wire/coordination/tagged-frame';
import { HPCC_DATA } from '../../../../../common/wire/hpcc/hpcc-transport';
import type { FlowToken } from '../../../../../common/wire/hpcc/hpcc-transport';
import type { CarrierName } from '../../../../../host-agent/carrier/carriers';
import { newCarrier } from '../../../../../host-agent/carrier/carriers';
import { SlabFrames } from '../../../../../host-agent/transport/frames/frame-memory';
import { FrameTemplate, tailOf } from '../../../../../host-agent/transport/frames/frame-template';
import type { CommonAddressing } from '../../../../../host-agent/transport/frames/prepared-headers';
import {
  prepareHeaders,
  SharedHeaders,
} from '../../../../../host-agent/transport/frames/prepared-headers';
import { parseFrame } from '../../../../../host-agent/transport/frames/received-frame';
import { must } from '../../../../support/frames';
import { toHex } from '../../../../support/hex';
import { addressOf, flowTo, macOf, testHost } from '../../../../support/hosts';

const ADDRESSING = {
  sourceMac: macOf(1),
  destinationMac: macOf(2),
  sourcePort: 50_000,
  sourceAddress: addressOf(1),
  destinationAddress: addressOf(2),
  intHopLimit: undefined,
};
const FIELDS = { flags: 0, sequence: 1000, length: 1000, identification: 5 };
const SENT_AT = 0x1234_5678_9abc;

function template(
  change: Partial<CommonAddressing>,
  token?: FlowToken,
  name?: CarrierName,
): FrameTemplate {
  const transport = { type: HPCC_DATA, flowId: 7, generation: 0, token } as const;
  const host = { linkRate: 100e9, hopLimit: 8, asksSojourn: false };
  const carrier = name && newCarrier({ name }, host);
  return new FrameTemplate({ ...ADDRESSING, ...change }, transport, (common) =>
    prepareHeaders(common, carrier),
  );
}

/** A frame with virtual payload, as a receiver reads it. */
const parsed = (bytes: Uint8Array) =>
  parseFrame({ bytes, length: bytes.length + FIELDS.length }, addressOf(2));

describe('a frame with a shim', () => {
  it.each([
    ['a digest', { digest: true, time: false }, '1200' + '000000000000'],
    ['a time', { digest: false, time: true }, '1100' + '123456789abc'],
    ['both', { digest: true, time: true }, '1300' + '123456789abc'],
  ])('has it between UDP and the transport, announced by a port: %s', (_name, shim, expected) => {
    const bytes = template({ shim }).emit({ ...FIELDS, stamp: SENT_AT }, new SlabFrames());
    expect(toHex(bytes.subarray(42, 50))).toBe(expected);
    expect(readUint16(bytes, 36)).toBe(50_005);
    expect(bytes).toHaveLength(14 + 20 + 8 + 8 + 16);
    expect(parsed(bytes)).toMatchObject({
      telemetryAt: 42,
      telemetryLength: 8,
      telemetryFault: undefined,
      transport: { type: HPCC_DATA, flowId: 7, sequence: 1000, bodyAt: 66 },
    });
  });

  it('says of each frame when that left, and 0 where nobody says', () => {
    const [timed, slab] = [template({ shim: { digest: false, time: true } }), new SlabFrames()];
    for (const stamp of [SENT_AT, undefined, 1]) {
      const bytes = timed.emit({ ...FIELDS, stamp }, slab);
      const text = (stamp ?? 0).toString(16).padStart(12, '0');
      expect(toHex(bytes.subarray(44, 50))).toBe(text);
      expect(parsed(bytes)).toMatchObject({ telemetryLength: 8 });
    }
  });

  it('has it behind the stand-alone tag too', () => {
    const timed = template({ shim: { digest: false, time: true }, coordinationTag: 0xdffe });
    const bytes = timed.emit({ ...FIELDS, stamp: SENT_AT }, new SlabFrames());
    const untagged = withoutTag({ bytes, length: bytes.length }).bytes;
    expect(toHex(untagged.subarray(42, 50))).toBe('1100' + '123456789abc');
    expect(parsed(untagged)).toMatchObject({ telemetryLength: 8, transport: { flowId: 7 } });
  });
});

describe('a frame of a flow with a token', () => {
  it.each([
    [undefined, 58],
    [8, 74],
  ])('is eight bytes longer, before its payload: INT for %j hops', (intHopLimit, plain) => {
    const opened = template({ intHopLimit }, { high: 0x0102_0304, low: 0x0506_0708 });
    expect(opened.headerLength).toBe(plain + 8);
    const tail = tailOf(Uint8Array.of(0xa, 0xb, 0xc));
    const bytes = opened.emit({ ...FIELDS, length: 3 }, new SlabFrames(), tail);
    expect(toHex(bytes.subarray(plain))).toBe('01020304' + '05060708' + '0a0b0c');
    expect(parseFrame({ bytes, length: bytes.length }, addressOf(2))).toMatchObject({
      transport: {
        token: { high: 0x0102_0304, low: 0x0506_0708 },
        length: 3,
        bodyAt: plain + 8,
      },
    });
  });
});

describe('a frame', () => {
  it('can be marked by switches where its flow wants that, and only there', () => {
    const ecn = (change: Partial<CommonAddressing>): number =>
      (template(change).emit(FIELDS, new SlabFrames())[15] as number) & 3;
    expect(ecn({ asksMarks: true })).toBe(2);
    expect(ecn({ asksMarks: false })).toBe(0);
    expect(ecn({})).toBe(0);
  });

  it('never says that it has no checksum', () => {
    const [plain, slab] = [template({}), new SlabFrames()];
    const checksumOf = (sequence: number): number =>
      readUint16(plain.emit({ ...FIELDS, sequence }, slab), 40);
    // The sequence is a word like others: with the checksum in its place the sum is all ones.
    expect(checksumOf(checksumOf(0))).toBe(0xffff);
  });

  it('asks by CSIG the question that it is made for', () => {
    const asked = [0, 1, undefined].map((question) => {
      const change = { intHopLimit: 8, ...(question !== undefined && { question }) };
      const bytes = template(change, undefined, 'csig').emit(FIELDS, new SlabFrames());
      expect(readUint16(bytes, 12)).toBe(0x9900);
      return readUint16(bytes, 14) >>> 13;
    });
    expect(asked).toEqual([1, 2, 1]);
  });

  it('leaves the metadata of IFA out of length and checksum of UDP', () => {
    const bytes = template({ intHopLimit: 8 }, undefined, 'ifa').emit(FIELDS, new SlabFrames());
    // Behind 14 bytes of Ethernet, 20 of IP and 4 of IFA; UDP counts itself, 16 bytes and the payload.
    expect(readUint16(bytes, 38 + 4)).toBe(8 + 16 + 1000);
    expect(readUint16(bytes, 14 + 2)).toBe(20 + 4 + 8 + 4 + 16 + 1000);
    const carrier = newCarrier({ name: 'ifa' }, { linkRate: 1, hopLimit: 8, asksSojourn: false });
    const packet = { bytes, length: bytes.length + 1000 };
    expect(parseFrame(packet, addressOf(2), carrier)).toMatchObject({ telemetryLength: 4 });
  });

  it('is as much longer on the wire as its host says, if it has data', () => {
    const [sender, receiver] = [1, 2].map((n) => testHost(n, { trailerBytes: 100 }));
    sender?.startFlow(0, flowTo(2, 7, 1000));
    const data = must(sender?.pollTransmit(0));
    expect([data.length, data.bytes.length]).toEqual([1174, 74]);
    receiver?.handlePacket(0, data);
    expect(must(receiver?.pollTransmit(0)).length).toBe(14 + 20 + 8 + 16 + 16);
  });
});

describe('headers for several destinations', () => {
  it('stay known while others are prepared', () => {
    const shared = new SharedHeaders();
    const first = shared.find(ADDRESSING);
    for (let i = 1; i < 1024; i++) shared.find({ ...ADDRESSING, destinationAddress: i });
    expect(shared.find(ADDRESSING)).toBe(first);
  });
});
