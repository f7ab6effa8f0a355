import * as fc from 'fast-check';
import { crc32, crc32OfZeros } from '../../../../common/wire/crc32';

const ONES = 0xffff_ffff;
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const checksum = (bytes: Uint8Array): number => ~crc32(ONES, bytes, 0, bytes.length) >>> 0;

describe('CRC-32', () => {
  // The check value of every catalogue of CRCs, and values of zlib.
  test.each([
    ['', 0],
    ['123456789', 0xcbf4_3926],
    ['a', 0xe8b7_be43],
    ['The quick brown fox jumps over the lazy dog', 0x414f_a339],
  ])('of %j is as zlib has it', (text, value) => {
    expect(checksum(bytesOf(text))).toBe(value);
  });

  test.each([
    [1, 0xd202_ef8d],
    [4, 0x2144_df1c],
    [1000, 0x060b_1780],
  ])('of %d zeros is as zlib has it, without looking at them', (count, value) => {
    expect(checksum(new Uint8Array(count))).toBe(value);
    expect(~crc32OfZeros(ONES, count) >>> 0).toBe(value);
  });

  test('goes on over zeros from any register as over stored ones', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: ONES }), fc.nat({ max: 5000 }), (register, count) => {
        const stored = crc32(register, new Uint8Array(count), 0, count);
        expect(crc32OfZeros(register, count)).toBe(stored);
      }),
    );
  });

  test('over more zeros than could be stored is that of its halves', () => {
    const half = 2 ** 40;
    const once = crc32OfZeros(ONES, half);
    expect(crc32OfZeros(ONES, 2 * half)).toBe(crc32OfZeros(once, half));
  });
});
