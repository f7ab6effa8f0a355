import * as fc from 'fast-check';
import { fromInt64, int64 } from '../../../../../switch/server/thrift/int64';

describe('64-bit integers of Thrift', () => {
  test.each([
    [0n, '0000000000000000'],
    [1n, '0000000000000001'],
    [-1n, 'ffffffffffffffff'],
    [2n ** 53n + 1n, '0020000000000001'],
    [2n ** 63n, '8000000000000000'],
    [2n ** 64n + 5n, '0000000000000005'],
  ])('%d is %s on the wire', (value, hex) => {
    expect(int64(value).toBuffer().toString('hex')).toBe(hex);
  });

  test('keep every value that fits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(fromInt64(int64(value))).toBe(value);
      }),
    );
  });

  test('may also be plain numbers', () => {
    expect(fromInt64(12)).toBe(12n);
  });

  test('a member of a message that is left out is 0', () => {
    expect(fromInt64(null)).toBe(0n);
  });
});
