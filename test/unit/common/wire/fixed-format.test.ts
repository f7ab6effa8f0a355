import * as fc from 'fast-check';
import type { Word64 } from '../../../../common/wire/bytes';
import { WireFault } from '../../../../common/wire/fault';
import { FixedFormat } from '../../../../common/wire/fixed-format';
import { fromHex, toHex } from '../../../support/hex';

interface Sample {
  readonly version: number;
  readonly marked: boolean;
  readonly id: number;
  readonly address: number;
  readonly count: Word64;
}

const SAMPLE = new FixedFormat<Sample>('sample', {
  version: 4,
  r1: 3,
  marked: 'flag',
  id: 24,
  address: 48,
  r2: 16,
  count: 'word64',
});

describe('a header of fixed fields', () => {
  test('lies in the order of its table, with zeros in what is reserved', () => {
    const bytes = new Uint8Array(22).fill(0xff);
    const header = { version: 5, marked: true, id: 0xabcdef, address: 0x0123456789ab };
    SAMPLE.emit({ ...header, count: { high: 1, low: 2 } }, bytes, 1);
    expect(toHex(bytes)).toBe('ff51abcdef0123456789ab00000000000100000002ff');
  });

  test('is read back whatever its fields hold, and cuts off what they do not', () => {
    const word = fc.nat(0xffff_ffff);
    const sample = fc.record({
      version: fc.nat(15),
      marked: fc.boolean(),
      id: fc.nat(0xff_ffff),
      address: fc.nat(2 ** 48 - 1),
      count: fc.record({ high: word, low: word }),
    });
    fc.assert(
      fc.property(sample, (header) => {
        const bytes = new Uint8Array(SAMPLE.length()).fill(0xa5);
        SAMPLE.emit(header, bytes);
        expect(SAMPLE.parse(bytes)).toEqual(header);
        SAMPLE.emit({ ...header, version: header.version + 16 }, bytes);
        expect(SAMPLE.parse(bytes)).toEqual(header);
      }),
    );
  });

  test('passes over what is reserved, and wants all its bytes', () => {
    const header = { version: 0, marked: false, id: 0, address: 0, count: { high: 0, low: 0 } };
    expect(
      SAMPLE.parse(fromHex('0e00000000000000000000ffff0000000000000000'.slice(0, 40))),
    ).toEqual({ ...header, count: { high: 0xff00_0000, low: 0 } });
    expect(SAMPLE.parse(new Uint8Array(19))).toEqual(
      new WireFault('sample', 0, 'needs 20 bytes, 19 left', 20),
    );
  });
});
