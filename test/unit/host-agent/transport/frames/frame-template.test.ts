import * as fc from 'fast-check';
import { parseEthernet } from '../../../../../common/wire/ip/ethernet';
import { HPCC_ACK, HPCC_DATA } from '../../../../../common/wire/hpcc/hpcc-transport';
import { parseIpv4 } from '../../../../../common/wire/ip/ipv4';
import { parseUdp } from '../../../../../common/wire/ip/udp';
import { SlabFrames } from '../../../../../host-agent/transport/frames/frame-memory';
import { INT_CARRIER, WIDE_INT_CARRIER } from '../../../../../host-agent/carrier/int-carrier';
import { FrameTemplate, tailOf } from '../../../../../host-agent/transport/frames/frame-template';
import {
  dataHeaderLength,
  prepareHeaders,
} from '../../../../../host-agent/transport/frames/prepared-headers';
import { parseFrame } from '../../../../../host-agent/transport/frames/received-frame';
import { tagOf, withoutTag } from '../../../../../common/wire/coordination/tagged-frame';
import { toHex } from '../../../../support/hex';

const ADDRESSING: ConstructorParameters<typeof FrameTemplate>[0] = {
  sourceMac: 0x0200_0000_0001,
  destinationMac: 0x0200_0000_0002,
  sourceAddress: 0x0a000001,
  destinationAddress: 0x0a000002,
  sourcePort: 0xc007,
  intHopLimit: 8,
};
const FIELDS = { flags: 0, sequence: 1000, length: 1000, identification: 5 };

const dataTemplate = (): FrameTemplate =>
  new FrameTemplate(ADDRESSING, { type: HPCC_DATA, flowId: 7, generation: 0 });
const ackTemplate = (): FrameTemplate =>
  new FrameTemplate(
    { ...ADDRESSING, intHopLimit: undefined },
    { type: HPCC_ACK, flowId: 7, generation: 0 },
  );

describe('a prepared frame', () => {
  // The IPv4 words without checksum sum to 0xdd99, the UDP words with pseudo-header to 0x3f3b8;
  // folded and complemented 0x2266 and 0x0c44.
  it('has the documented headers of a data frame', () => {
    const bytes = dataTemplate().emit(FIELDS, new SlabFrames());
    expect(toHex(bytes)).toBe(
      [
        '020000000002 020000000001 0800',
        '455c 0424 0005 4000 4011 2266 0a000001 0a000002',
        'c007 c352 0410 0c44',
        '10030000 20000808 d4004850 c0000000',
        '31 00 0000 03e8 000007 000000000003e8',
      ]
        .join('')
        .replace(/ /g, ''),
    );
    expect(bytes).toHaveLength(dataHeaderLength(INT_CARRIER));
    expect(bytes).toHaveLength(14 + 20 + 8 + 16 + 16);
  });

  it('keeps the class of the flow in the shim, where INT has taken its DSCP', () => {
    const transport = { type: HPCC_DATA, flowId: 7, generation: 0 } as const;
    const classed = { ...ADDRESSING, dscp: 46 };
    const collecting = new FrameTemplate(classed, transport).emit(FIELDS, new SlabFrames());
    expect([collecting[15], collecting[45]]).toEqual([0x17 << 2, 46 << 2]);
    const plain = new FrameTemplate({ ...classed, intHopLimit: undefined }, transport);
    expect(plain.emit(FIELDS, new SlabFrames())[15]).toBe(46 << 2);
  });

  it('asks for the wide block where the time in the queue is wanted', () => {
    const transport = { type: HPCC_DATA, flowId: 7, generation: 0 } as const;
    const template = new FrameTemplate(ADDRESSING, transport, (common) =>
      prepareHeaders(common, WIDE_INT_CARRIER),
    );
    const bytes = template.emit(FIELDS, new SlabFrames());
    expect(toHex(bytes.subarray(42, 58))).toBe('10030000' + '20000a08' + 'f4004850' + 'e0000000');
  });

  it('marks an acknowledgement with neither DSCP nor INT', () => {
    const echo = new Uint8Array(48).fill(0xab);
    const bytes = ackTemplate().emit(
      { ...FIELDS, flags: 2, length: 48 },
      new SlabFrames(),
      tailOf(echo),
    );
    expect(bytes).toHaveLength(14 + 20 + 8 + 16 + 48);
    expect(bytes[15]).toBe(0);
    expect(toHex(bytes.subarray(58))).toBe('ab'.repeat(48));
  });

  it('has right lengths and checksums for all fields and tails', () => {
    const slab = new SlabFrames();
    const templates = [dataTemplate(), ackTemplate()];
    const fields = fc.record({
      flags: fc.integer({ min: 0, max: 15 }),
      sequence: fc.maxSafeNat(),
      identification: fc.integer({ min: 0, max: 0xffff }),
    });
    const tail = fc.uint8Array({ minLength: 1, maxLength: 99 });
    fc.assert(
      fc.property(fields, tail, fc.boolean(), (given, body, isStored) => {
        for (const template of templates) {
          const all = { ...given, length: body.length };
          const bytes = template.emit(all, slab, isStored ? tailOf(body) : undefined);
          const end = template.headerLength + body.length;
          expect(bytes).toHaveLength(isStored ? end : template.headerLength);
          expect(parseIpv4(bytes, 14, end)).toMatchObject({
            totalLength: end - 14,
            identification: given.identification,
            ttl: 64,
            ecn: 0,
          });
          const { sourceAddress, destinationAddress } = ADDRESSING;
          const between = { source: sourceAddress, destination: destinationAddress };
          expect(parseUdp(bytes, { ...between, offset: 34, end })).toEqual({
            sourcePort: 0xc007,
            destinationPort: 50002,
            length: end - 34,
          });
        }
      }),
    );
  });

  it('is not changed by what was emitted before', () => {
    const [template, slab] = [dataTemplate(), new SlabFrames()];
    const first = template.emit(FIELDS, slab);
    const before = toHex(first);
    template.emit({ ...FIELDS, sequence: 2 ** 40, flags: 1 }, slab).fill(0xff);
    expect(toHex(first)).toBe(before);
    expect(toHex(template.emit(FIELDS, slab))).toBe(before);
    expect(parseEthernet(first)).toEqual({
      source: ADDRESSING.sourceMac,
      destination: ADDRESSING.destinationMac,
      etherType: 0x0800,
    });
  });

  it('has the stand-alone tag in place of INT, and is otherwise the frame without it', () => {
    const plain = { ...ADDRESSING, intHopLimit: undefined };
    const identity = { type: HPCC_DATA, flowId: 7, generation: 0 } as const;
    const tagged = new FrameTemplate({ ...plain, coordinationTag: 0xdffe }, identity);
    const bytes = tagged.emit(FIELDS, new SlabFrames());
    const frame = { bytes, length: bytes.length + FIELDS.length };
    expect(tagOf(frame)).toEqual({ congestionControl: true, reroutingPoint: 0x1ffe });
    const untagged = withoutTag(frame);
    expect(bytes.length - untagged.bytes.length).toBe(8);
    const parsed = parseFrame(untagged, ADDRESSING.destinationAddress);
    expect(parsed).toMatchObject({ transport: { flowId: 7, length: 1000 }, telemetryLength: 0 });
  });
});
