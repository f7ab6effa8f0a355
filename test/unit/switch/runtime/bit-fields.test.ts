import fc from 'fast-check';

import { fromHex, toHex } from '../../../support/hex';
import { readBits, toBigint, writeBits } from '../../../../switch/runtime/bit-fields';

describe('reading bits', () => {
  const bytes = fromHex('0123456789abcdef fedcba9876543210 ff');
  const cases: readonly (readonly [number, number, bigint])[] = [
    [0, 8, 0x01n],
    [4, 4, 0x1n],
    [7, 1, 1n],
    [6, 1, 0n],
    [4, 16, 0x1234n],
    [3, 13, 0x0123n],
    [0, 48, 0x0123456789abn],
    [8, 48, 0x23456789abcdn],
    [4, 48, 0x123456789abcn],
    [0, 64, 0x0123456789abcdefn],
    [64, 64, 0xfedcba9876543210n],
    [4, 64, 0x123456789abcdeffn],
    [0, 128, 0x0123456789abcdeffedcba9876543210n],
    [1, 127, 0x0123456789abcdeffedcba9876543210n],
    [130, 3, 7n],
    [0, 0, 0n],
  ];
  test.each(cases)('from bit %i, %i bits', (offset, width, value) => {
    expect(readBits(bytes, offset, width)).toBe(value);
  });

  test('behind the end gives zeros', () => {
    expect(readBits(Uint8Array.of(0xff), 4, 8)).toBe(0xf0n);
    expect(readBits(Uint8Array.of(0xff), 800, 64)).toBe(0n);
    expect(readBits(new Uint8Array(0), 0, 100)).toBe(0n);
  });
});

describe('writing bits', () => {
  test.each([
    [0, 8, 0xabn, 'ab00'],
    [4, 8, 0xabn, '0ab0'],
    [1, 3, 5n, '5000'],
    [3, 13, 0x1fffn, '1fff'],
    [0, 16, -1n, 'ffff'],
    [4, 4, 0x123n, '0300'],
    [0, 0, 5n, '0000'],
  ])('from bit %i, %i bits of %s', (bitOffset, width, value, text) => {
    const bytes = new Uint8Array(2);
    writeBits(bytes, { bitOffset, width }, value);
    expect(toHex(bytes)).toBe(text);
  });

  test('is undone by reading, and touches nothing else', () => {
    const place = fc.record({
      bitOffset: fc.integer({ min: 0, max: 70 }),
      width: fc.integer({ min: 1, max: 130 }),
      value: fc.bigInt({ min: 0n, max: (1n << 130n) - 1n }),
    });
    fc.assert(
      fc.property(place, ({ bitOffset, width, value }) => {
        const bytes = new Uint8Array(32);
        const fitting = BigInt.asUintN(width, value);
        writeBits(bytes, { bitOffset, width }, value);
        expect(readBits(bytes, bitOffset, width)).toBe(fitting);
        expect(readBits(bytes, 0, bitOffset)).toBe(0n);
        const end = bitOffset + width;
        expect(readBits(bytes, end, 256 - end)).toBe(0n);
      }),
    );
  });

  test('neighbours do not disturb each other', () => {
    const widths = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(widths, fc.bigInt({ min: 0n, max: (1n << 70n) - 1n }), (list, seed) => {
        const total = list.reduce((sum, width) => sum + width, 0);
        const bytes = new Uint8Array((total + 7) >> 3);
        let at = 0;
        const written = list.map((width, i) => {
          const range = { bitOffset: at, width };
          const value = BigInt.asUintN(width, seed * BigInt(i + 1));
          writeBits(bytes, range, value);
          at += width;
          return { ...range, value };
        });
        for (const { bitOffset, width, value } of written) {
          expect(readBits(bytes, bitOffset, width)).toBe(value);
        }
      }),
    );
  });
});

test.each([0, 1, 1023, 1024, 2 ** 32, 2 ** 53 - 1])('%i as bigint is itself', (value) => {
  expect(toBigint(value)).toBe(BigInt(value));
});
