import * as fc from 'fast-check';
import { WireFault } from '../../../../../common/wire/fault';
import {
  emitHpccTransport,
  HPCC_ACK,
  HPCC_FLAG_AUTH,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RATIO,
  HPCC_FLAG_SACK,
  HPCC_TRANSPORT_LENGTH,
  parseHpccTransport,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import type { SackBlock } from '../../../../../common/wire/hpcc/selective-ack';
import {
  checkSelectiveAck,
  emitSelectiveAck,
  readSelectiveAck,
  SELECTIVE_ACK_LENGTH,
} from '../../../../../common/wire/hpcc/selective-ack';
import { fromHex, toHex } from '../../../../support/hex';

const ACKNOWLEDGEMENT = 0x1_0000_03e8;
const GOLDEN: readonly (readonly [string, readonly SackBlock[], string])[] = [
  [
    'one block behind a gap of 1000 bytes',
    [{ from: ACKNOWLEDGEMENT + 1000, to: ACKNOWLEDGEMENT + 3000 }],
    '0101 0000 000003e8 000007d0 00000000 00000000 00000000 00000000',
  ],
  [
    'three of four blocks, in their order',
    [5, 1, 9, 20].map((at) => ({ from: ACKNOWLEDGEMENT + at, to: ACKNOWLEDGEMENT + at + 2 })),
    '0103 0000 00000005 00000002 00000001 00000002 00000009 00000002',
  ],
];

function emitted(blocks: readonly SackBlock[], acknowledgement: number): Uint8Array {
  const bytes = new Uint8Array(SELECTIVE_ACK_LENGTH).fill(0xff);
  emitSelectiveAck(blocks, acknowledgement, bytes, 0);
  return bytes;
}

describe('a selective acknowledgement', () => {
  it.each(GOLDEN)('has the documented bytes for %s', (_name, blocks, hex) => {
    const bytes = emitted(blocks, ACKNOWLEDGEMENT);
    expect(toHex(bytes)).toBe(hex.replace(/ /g, ''));
    expect(checkSelectiveAck(bytes, 0)).toBeUndefined();
    expect(readSelectiveAck(bytes, 0, ACKNOWLEDGEMENT)).toEqual(blocks.slice(0, 3));
  });

  it.each([
    ['another version', '02', 0],
    ['no block', '0100', 1],
    ['four blocks', '0104', 1],
    ['a block that begins at the acknowledgement', '0101 0000 00000000', 4],
    ['an empty block', '0101 0000 000003e8 00000000', 4],
    ['an empty second block', '0102', 12],
  ])('is refused with %s', (_name, hex, offset) => {
    const bytes = emitted(GOLDEN[0]?.[1] ?? [], ACKNOWLEDGEMENT);
    bytes.set(fromHex(hex));
    expect(checkSelectiveAck(bytes, 0)).toMatchObject({ header: 'selective-ack', offset });
  });

  it('survives emitting and reading for all blocks', () => {
    const block = fc.record({
      offset: fc.integer({ min: 1, max: 0xffff_ffff }),
      length: fc.integer({ min: 1, max: 0xffff_ffff }),
    });
    const blocks = fc.array(block, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(blocks, fc.nat(2 ** 31), (given, acknowledgement) => {
        const wanted = given.map(({ offset, length }) => {
          const from = acknowledgement + offset;
          return { from, to: from + length };
        });
        const bytes = emitted(wanted, acknowledgement);
        expect(checkSelectiveAck(bytes, 0)).toBeUndefined();
        expect(readSelectiveAck(bytes, 0, acknowledgement)).toEqual(wanted);
      }),
    );
  });
});

describe('an acknowledgement with a selective one', () => {
  /** Contents of the body before it and behind it, and the flags for them. */
  const places: readonly (readonly [string, number, number, number])[] = [
    ['nothing else', 0, 0, 0],
    ['an echo', 44, 0, HPCC_FLAG_ECHO],
    ['a load ratio', 8, 0, HPCC_FLAG_RATIO],
    ['an echo and a trailer', 44, 28, HPCC_FLAG_ECHO | HPCC_FLAG_AUTH],
  ];

  function ack(before: number, after: number, flags: number): Uint8Array {
    const length = before + SELECTIVE_ACK_LENGTH + after;
    const bytes = new Uint8Array(HPCC_TRANSPORT_LENGTH + length);
    const numbers = { flowId: 1, generation: 0, sequence: ACKNOWLEDGEMENT, length };
    emitHpccTransport({ type: HPCC_ACK, flags: flags | HPCC_FLAG_SACK, ...numbers }, bytes, 0);
    const blocks = GOLDEN[0]?.[1] ?? [];
    emitSelectiveAck(blocks, ACKNOWLEDGEMENT, bytes, HPCC_TRANSPORT_LENGTH + before);
    return bytes;
  }

  it.each(places)('may have %s besides', (_name, before, after, flags) => {
    const bytes = ack(before, after, flags);
    expect(parseHpccTransport(bytes, 0, bytes.length)).toMatchObject({ sequence: ACKNOWLEDGEMENT });
  });

  it.each(places)(
    'is refused when the record is malformed, with %s',
    (_name, before, after, flags) => {
      const bytes = ack(before, after, flags);
      bytes[HPCC_TRANSPORT_LENGTH + before] = 2;
      expect(parseHpccTransport(bytes, 0, bytes.length)).toBeInstanceOf(WireFault);
    },
  );

  it.each(places)(
    'is refused when the record is missing, with %s',
    (_name, before, after, flags) => {
      const bytes = new Uint8Array(HPCC_TRANSPORT_LENGTH + before + after);
      const numbers = { flowId: 1, generation: 0, sequence: 0, length: before + after };
      emitHpccTransport({ type: HPCC_ACK, flags: flags | HPCC_FLAG_SACK, ...numbers }, bytes, 0);
      expect(parseHpccTransport(bytes, 0, bytes.length)).toBeInstanceOf(WireFault);
    },
  );
});
