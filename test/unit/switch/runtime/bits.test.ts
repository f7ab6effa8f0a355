import fc from 'fast-check';

import {
  clampSigned,
  clampUnsigned,
  divide,
  fit,
  remainder,
  shiftLeft,
  shiftRight,
  wrapSigned,
} from '../../../../switch/runtime/bits';

describe('fitting a value into a field', () => {
  const unsigned = { width: 8, signed: false, saturating: false };
  const signed = { width: 8, signed: true, saturating: false };
  const cases: readonly (readonly [string, bigint, object, bigint])[] = [
    ['unsigned keeps', 255n, unsigned, 255n],
    ['unsigned wraps up', 256n, unsigned, 0n],
    ['unsigned wraps down', -1n, unsigned, 255n],
    ['signed keeps', -128n, signed, -128n],
    ['signed wraps up', 128n, signed, -128n],
    ['signed wraps down', -129n, signed, 127n],
    ['saturating clamps up', 256n, { ...unsigned, saturating: true }, 255n],
    ['saturating clamps down', -1n, { ...unsigned, saturating: true }, 0n],
    ['signed saturating clamps up', 128n, { ...signed, saturating: true }, 127n],
    ['signed saturating clamps down', -129n, { ...signed, saturating: true }, -128n],
    ['no width', 5n, { width: 0, signed: false, saturating: false }, 0n],
    ['no signed width', 5n, { width: 0, signed: true, saturating: true }, 0n],
  ];
  test.each(cases)('%s %s', (_name, value, format, result) => {
    expect(fit(value, format as typeof unsigned)).toBe(result);
  });

  const width = fc.integer({ min: 1, max: 80 });
  const value = fc.bigInt({ min: -(1n << 90n), max: 1n << 90n });

  test('wrapping changes a value by a multiple of 2^width and lands in the range', () => {
    fc.assert(
      fc.property(value, width, (v, w) => {
        const modulus = 1n << BigInt(w);
        const low = BigInt.asUintN(w, v);
        expect((v - low) % modulus).toBe(0n);
        expect(low >= 0n && low < modulus).toBe(true);
        const centred = wrapSigned(v, w);
        expect((v - centred) % modulus).toBe(0n);
        expect(centred >= -modulus / 2n && centred < modulus / 2n).toBe(true);
      }),
    );
  });

  test('clamping keeps what fits and gives the nearest bound otherwise', () => {
    fc.assert(
      fc.property(value, width, (v, w) => {
        const largest = (1n << BigInt(w)) - 1n;
        expect(clampUnsigned(v, w)).toBe(v < 0n ? 0n : v > largest ? largest : v);
        const half = 1n << BigInt(w - 1);
        expect(clampSigned(v, w)).toBe(v < -half ? -half : v >= half ? half - 1n : v);
      }),
    );
  });
});

describe('shifts and divisions that have no result', () => {
  const cases: readonly (readonly [string, bigint, bigint])[] = [
    ['left by a negative count', shiftLeft(5n, -1n), 0n],
    ['left beyond every field', shiftLeft(5n, 1n << 40n), 0n],
    ['right by a negative count', shiftRight(5n, -1n), 0n],
    ['right beyond every field', shiftRight(5n, 1n << 40n), 0n],
    ['right of a negative number', shiftRight(-5n, 1n << 40n), -1n],
    ['division by zero', divide(5n, 0n), 0n],
    ['remainder by zero', remainder(5n, 0n), 0n],
  ];
  test.each(cases)('%s', (_name, found, wanted) => {
    expect(found).toBe(wanted);
  });
});
