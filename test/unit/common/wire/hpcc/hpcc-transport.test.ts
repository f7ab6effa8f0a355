import * as fc from 'fast-check';
import { WireFault } from '../../../../../common/wire/fault';
import type { HpccTransportHeader } from '../../../../../common/wire/hpcc/hpcc-transport';
import {
  emitHpccTransport,
  HPCC_ACK,
  HPCC_DATA,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_FIN,
  HPCC_FLAG_NACK,
  HPCC_FLAG_RETRANSMIT,
  HPCC_PROBE,
  HPCC_TELEMETRY,
  HPCC_TRANSPORT_LENGTH,
  HPCC_WINDOW,
  parseHpccTransport,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import { fromHex, toHex } from '../../../../support/hex';

const DATA: HpccTransportHeader = {
  type: HPCC_DATA,
  flags: HPCC_FLAG_FIN | HPCC_FLAG_RETRANSMIT,
  flowId: 0x98_1234,
  length: 1000,
  generation: 0xfffe,
  sequence: 0x0012_3456_789a_bcde,
};
const ACK: HpccTransportHeader = {
  type: HPCC_ACK,
  flags: HPCC_FLAG_ECHO | HPCC_FLAG_NACK,
  flowId: 7,
  length: 4,
  generation: 1,
  sequence: 3000,
};
const GOLDEN: readonly (readonly [string, HpccTransportHeader, string])[] = [
  ['data', DATA, '31 05 fffe 03e8 981234 123456789abcde'],
  [
    'data of a flow that repeats single segments',
    { ...DATA, flags: 0x08 },
    '31 08 fffe 03e8 981234 123456789abcde',
  ],
  ['an acknowledgement', ACK, '32 0a 0001 0004 000007 00000000000bb8'],
  [
    'a probe',
    { ...ACK, type: HPCC_PROBE, flags: 0, length: 0, sequence: 2 },
    '33 00 0001 0000 000007 00000000000002',
  ],
  [
    'a signed response with a load ratio',
    { ...ACK, type: HPCC_TELEMETRY, flags: 0x70, length: 36, sequence: 2 },
    '34 70 0001 0024 000007 00000000000002',
  ],
  [
    'a window',
    { ...ACK, type: HPCC_WINDOW, flags: 0, length: 16, sequence: 0 },
    '35 00 0001 0010 000007 00000000000000',
  ],
  [
    'an acknowledgement without echo',
    { ...ACK, flags: 0, length: 0, sequence: Number.MAX_SAFE_INTEGER },
    '32 00 0001 0000 000007 1fffffffffffff',
  ],
];

function emitted(header: HpccTransportHeader, stored = 0, offset = 0): Uint8Array {
  const bytes = new Uint8Array(offset + HPCC_TRANSPORT_LENGTH + stored);
  emitHpccTransport(header, bytes, offset);
  return bytes;
}

/** Parses the header of a datagram that ends where the header says. */
function parsed(bytes: Uint8Array, length: number): HpccTransportHeader | WireFault {
  return parseHpccTransport(bytes, 0, HPCC_TRANSPORT_LENGTH + length);
}

describe('header of the reliable transport', () => {
  it.each(GOLDEN)('has the documented bytes for %s', (_name, header, hex) => {
    expect(toHex(emitted(header))).toBe(hex.replace(/ /g, ''));
  });

  it.each(GOLDEN)('is read back from the documented bytes for %s', (_name, header, hex) => {
    const bytes = new Uint8Array(HPCC_TRANSPORT_LENGTH + header.length);
    bytes.set(fromHex(hex));
    expect(parsed(bytes, header.length)).toMatchObject(header);
  });

  it('lies anywhere in a frame', () => {
    const bytes = emitted(ACK, 4, 13);
    expect(parseHpccTransport(bytes, 13, bytes.length)).toMatchObject(ACK);
  });

  it('may announce a payload that is not stored', () => {
    expect(parsed(emitted(DATA), 1000)).toMatchObject(DATA);
  });

  const malformed: readonly (readonly [string, HpccTransportHeader, string, number])[] = [
    ['a foreign version', DATA, '51', 0],
    ['version 1, which had flow ids of 16 bits', DATA, '11', 0],
    ['version 2, which had flow ids of 16 bits', DATA, '21', 0],
    ['type 0', DATA, '30', 0],
    ['type 8', DATA, '38', 0],
    ['an echo flag on data', DATA, '31 02', 1],
    ['a FIN flag on an acknowledgement', ACK, '32 03', 1],
    ['records of several packets in a window', ACK, '35 40', 1],
    ['a NACK flag on a window', ACK, '35 08', 1],
    ['an echo without its flag', ACK, '32 00', 1],
    ['echo and load ratio at once', ACK, '32 22', 1],
    ['a load ratio of another length', ACK, '32 20', 1],
    ['a trailer that does not fit', ACK, '32 12', 1],
    ['a flag on a probe', ACK, '33 01', 1],
    ['a body of a probe', ACK, '33 00', 1],
    ['an echo flag on a window', ACK, '35 02', 1],
    ['a window record of another length', ACK, '35 00', 1],
    ['a switch response of another length', ACK, '16 00', 1],
    ['a switch response of the version of hosts', ACK, '36 00', 0],
    ['a length that is too small', DATA, '31 00 fffe 03e7', 4],
    ['a length that is too large', DATA, '31 00 fffe 03e9', 4],
    ['a sequence of 2^53', DATA, '31 00 0000 03e8 001234 20000000000000', 9],
    ['the largest sequence of 56 bits', DATA, '31 00 0000 03e8 001234 ffffffffffffff', 9],
  ];
  it.each(malformed)('is refused with %s, at its offset', (_name, header, hex, offset) => {
    const bytes = emitted(header, 4);
    bytes.set(fromHex(hex));
    const fault = parsed(bytes, header.length);
    expect(fault).toBeInstanceOf(WireFault);
    expect(fault).toMatchObject({ header: 'hpcc-transport', offset });
  });

  it.each([1, 2])('says of version %d who speaks it, and what to do', (version) => {
    const bytes = emitted(ACK, 4);
    bytes[0] = (version << 4) | HPCC_ACK;
    expect(parsed(bytes, ACK.length)).toMatchObject({
      reason: `version must be 3 or 4, found ${version}, which is that of releases up to 0.2: hosts that talk to each other need the same`,
    });
  });

  it('is refused as data without payload and as an empty echo', () => {
    expect(parsed(emitted({ ...DATA, length: 0 }), 0)).toBeInstanceOf(WireFault);
    expect(parsed(emitted({ ...ACK, length: 0 }), 0)).toBeInstanceOf(WireFault);
  });

  it('is refused when cut short at every byte, echo included', () => {
    const bytes = emitted(ACK, 4);
    for (let end = 0; end < bytes.length; end++) {
      expect(parseHpccTransport(bytes.subarray(0, end), 0, end)).toBeInstanceOf(WireFault);
      expect(parseHpccTransport(bytes.subarray(0, end), 0, bytes.length)).toBeInstanceOf(WireFault);
      expect(parseHpccTransport(bytes, 0, end)).toBeInstanceOf(WireFault);
    }
  });

  it('returns from any bytes, and emits again whatever it accepted', () => {
    const bytes = fc.uint8Array({ minLength: 0, maxLength: 24 });
    fc.assert(
      fc.property(bytes, fc.boolean(), (random, isPlausible) => {
        if (isPlausible && random.length >= 16) random.set([0x32, 0, 0, 0, 0, random.length - 16]);
        const header = parseHpccTransport(random, 0, random.length);
        if (header instanceof WireFault) return;
        expect(toHex(emitted(header))).toBe(toHex(random.subarray(0, HPCC_TRANSPORT_LENGTH)));
      }),
    );
  });

  it('survives emitting and parsing for all field values', () => {
    const uint16 = fc.integer({ min: 0, max: 0xffff });
    const fields = fc.record({
      flowId: fc.integer({ min: 0, max: 0xff_ffff }),
      generation: uint16,
      length: fc.integer({ min: 1, max: 0xffff }),
      sequence: fc.maxSafeNat(),
      flags: fc.constantFrom(0, 1, 4, 5, 8, 0xf0),
    });
    fc.assert(
      fc.property(fields, (given) => {
        const header = { type: HPCC_DATA, ...given } as const;
        expect(parsed(emitted(header), given.length)).toMatchObject(header);
      }),
    );
  });
});
