import * as fc from 'fast-check';
import {
  checksumWords,
  finishChecksum,
  foldChecksum,
  updateChecksum,
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

  test('updated by RFC 1624 equals the recomputed one, also for its section 4 example', () => {
    // RFC 1624 section 4: HC = dd2f, m = 5555, m' = 3285 gives 0000.
    expect(updateChecksum(0xdd2f, 0x5555, 0x3285)).toBe(0x0000);
  });

  test('updated for any changed word equals the recomputed one, up to the two zeros', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 2, maxLength: 40 }),
        fc.integer({ min: 0, max: 0xffff }),
        (words, replacement) => {
          const sum = words.reduce((a, b) => a + b, 0);
          const removed = words[0] as number;
          const updated = updateChecksum(finishChecksum(sum), removed, replacement);
          const recomputed = finishChecksum(sum - removed + replacement);
          // 0000 and ffff are the same number in one's complement.
          expect(updated % 0xffff).toBe(recomputed % 0xffff);
        },
      ),
    );
  });
});
