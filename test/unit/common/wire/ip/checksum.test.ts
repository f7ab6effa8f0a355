import {
  checksumWords,
  finishChecksum,
  foldChecksum,
} from '../../../../../common/wire/ip/checksum';
import { fromHex } from '../../../../support/hex';

describe('the Internet checksum', () => {
  test('gives the example of RFC 1071 section 3', () => {
    // 0001 + f203 + f4f5 + f6f7 = 2ddf0, folded ddf2.
    const bytes = fromHex('0001 f203 f4f5 f6f7');
    expect(checksumWords(bytes, 0, 8)).toBe(0x2ddf0);
    expect(foldChecksum(0x2ddf0)).toBe(0xddf2);
    expect(finishChecksum(0x2ddf0)).toBe(0x220d);
  });

  test.each([
    [0xffff, 0xffff],
    [0x1_0000, 1],
    [0xffff_ffff, 0xffff],
    // 2^32 = 2^16 * 2^16, and 2^16 is 1 modulo 2^16 - 1.
    [0x1_0000_0000, 1],
    [0x1_2345_6789_abcd, 0x0001 + 0x2345 + 0x6789 + 0xabcd - 0xffff],
    [2 ** 52 + 2, 0x12],
  ])('folds %d to %d, beyond 32 bits too', (sum, folded) => {
    expect(foldChecksum(sum)).toBe(folded);
  });

  test('counts an odd last byte as the high half of a word', () => {
    expect(checksumWords(fromHex('0001 f2'), 0, 3)).toBe(0xf201);
  });

  test('of nothing is zero', () => {
    expect(checksumWords(fromHex('ffff'), 1, 1)).toBe(0);
  });
});
