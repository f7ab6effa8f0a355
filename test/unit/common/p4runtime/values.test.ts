import * as fc from 'fast-check';
import { formatValue, parseValue } from '../../../../common/p4runtime/values';

describe('values as text', () => {
  test.each<[string | number | bigint, number, bigint]>([
    ['10.0.1.2', 32, 0x0a000102n],
    ['255.255.255.255', 32, 0xffff_ffffn],
    ['00:00:00:00:0a:ff', 48, 0x0affn],
    ['02-00-00-01-00-02', 48, 0x0200_0001_0002n],
    ['::', 128, 0n],
    ['::1', 128, 1n],
    ['2001:db8::5', 128, 0x2001_0db8_0000_0000_0000_0000_0000_0005n],
    ['1:2:3:4:5:6:7:8', 128, 0x0001_0002_0003_0004_0005_0006_0007_0008n],
    ['::ffff:10.0.0.1', 128, 0xffff_0a00_0001n],
    ['0x1F', 8, 31n],
    ['0b101', 3, 5n],
    ['0o17', 8, 15n],
    [' 42 ', 8, 42n],
    [7, 3, 7n],
    [2n ** 64n - 1n, 64, 2n ** 64n - 1n],
    ['18446744073709551615', 64, 2n ** 64n - 1n],
  ])('%s is read in %d bits', (text, width, expected) => {
    expect(parseValue(text, width, 'x')).toBe(expected);
  });

  test.each<[string | number, number]>([
    ['10.0.1', 32],
    ['10.0.1.256', 32],
    ['10.0.1.2', 16],
    ['00:00:00:00:0a', 48],
    ['1:2:3:4:5:6:7', 128],
    ['1::2::3', 128],
    ['1.2.3.4::', 128],
    ['12345::', 128],
    ['', 8],
    ['-1', 8],
    [1.5, 8],
    [2 ** 53, 64],
  ])('%s is not a value of %d bits', (text, width) => {
    expect(() => parseValue(text, width, 'field f')).toThrow(/^field f: wanted a number up to/);
  });

  test('a value that is too large is named', () => {
    expect(() => parseValue('512', 9, 'port')).toThrow('port: 512 does not fit in 9 bits');
  });

  test.each([
    [0x0a000102n, 32, '10.0.1.2'],
    [0x0200_0001_0002n, 48, '02:00:00:01:00:02'],
    [0n, 128, '::'],
    [1n, 128, '::1'],
    [0x20010db8_00000000_00010000_00000001n, 128, '2001:db8::1:0:0:1'],
    [0x20010db8_00010001_00010001_00010000n, 128, '2001:db8:1:1:1:1:1:0'],
    [0x20010db8_00000001_00000000_00000000n, 128, '2001:db8:0:1::'],
    [511n, 9, '511'],
  ])('%d is written by its width of %d bits', (value, width, text) => {
    expect(formatValue(value, width)).toBe(text);
  });

  test('what is written is read back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 9, 16, 32, 48, 64, 128),
        fc.bigInt(0n, 2n ** 128n - 1n),
        (width, big) => {
          const value = big % 2n ** BigInt(width);
          expect(parseValue(formatValue(value, width), width, 'x')).toBe(value);
        },
      ),
    );
  });
});
