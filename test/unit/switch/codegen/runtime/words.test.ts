import fc from 'fast-check';

import * as words from '../../../../../switch/codegen/runtime/words';

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const safe = fc.maxSafeInteger();
const wide = (high: number, low: number): bigint => (BigInt(high) << 32n) | BigInt(low);

describe('numbers', () => {
  test('wrap modulo powers of two, whatever their sign', () => {
    fc.assert(
      fc.property(safe, fc.integer({ min: 33, max: 52 }), (value, width) => {
        const wrapped = BigInt.asUintN(width, BigInt(value));
        expect(words.wrapNumber(value, 2 ** width)).toBe(Number(wrapped));
      }),
    );
  });

  test.each([
    [0, 256, 0],
    [127, 256, 127],
    [128, 256, -128],
    [255, 256, -1],
    [2 ** 47, 2 ** 48, -(2 ** 47)],
  ])("%i modulo %i is %i in two's complement", (value, modulus, result) => {
    expect(words.toSigned(value, modulus)).toBe(result);
  });

  test('divide towards zero exactly, and by zero to 0', () => {
    fc.assert(
      fc.property(safe, safe, (a, b) => {
        const [quotient, rest] =
          b === 0 ? [0n, 0n] : [BigInt(a) / BigInt(b), BigInt(a) % BigInt(b)];
        expect(BigInt(words.divideNumbers(a, b))).toBe(quotient);
        expect(BigInt(words.remainderOfNumbers(a, b))).toBe(rest);
      }),
    );
  });

  test.each([
    [5, 0, 10, 5],
    [-5, 0, 10, 0],
    [15, 0, 10, 10],
  ])('%i between %i and %i is %i', (value, low, high, result) => {
    expect(words.clampNumber(value, low, high)).toBe(result);
    expect(words.clampBigint(BigInt(value), BigInt(low), BigInt(high))).toBe(BigInt(result));
  });

  test.each([
    [1, 0, 1],
    [1, 31, 2 ** 31],
    [3, 31, 2 ** 31],
    [1, 32, 0],
    [1, -1, 0],
  ])('the low word of %i shifted left by %i is %i', (value, count, result) => {
    expect(words.shiftLeftWord(value, count)).toBe(result);
  });

  test('shift right as bigint does', () => {
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 70 }), (value, count) => {
        const shifted = words.shiftRightNumber(value, count);
        expect(BigInt(shifted)).toBe(BigInt(value) >> BigInt(count));
      }),
    );
    expect(words.shiftRightNumber(5, -1)).toBe(0);
  });
});

describe('pairs of words', () => {
  const pair = fc.tuple(word, word);

  test('add with carry modulo 2^64', () => {
    fc.assert(
      fc.property(pair, pair, ([ah, al], [bh, bl]) => {
        const low = al + bl;
        const sum = wide(words.carry(ah + bh, low), low >>> 0);
        expect(sum).toBe(BigInt.asUintN(64, wide(ah, al) + wide(bh, bl)));
      }),
    );
  });

  test('subtract with borrow modulo 2^64', () => {
    fc.assert(
      fc.property(pair, pair, ([ah, al], [bh, bl]) => {
        const low = al - bl;
        const difference = wide(words.borrow(ah - bh, low), low >>> 0);
        expect(difference).toBe(BigInt.asUintN(64, wide(ah, al) - wide(bh, bl)));
      }),
    );
  });

  test('multiply words to 64 bits', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const product = wide(words.productHigh(a, b), Math.imul(a, b) >>> 0);
        expect(product).toBe(BigInt(a) * BigInt(b));
      }),
    );
    const largest = 2 ** 32 - 1;
    expect(words.productHigh(largest, largest)).toBe(largest - 1);
  });

  test('convert to bigint and back', () => {
    fc.assert(
      fc.property(word, word, (high, low) => {
        const value = words.pairToBigint(high, low);
        expect(value).toBe(wide(high, low));
        expect([words.highWord(value), words.lowWord(value)]).toEqual([high, low]);
        expect(words.highWord(value - 2n ** 64n)).toBe(high);
      }),
    );
  });
});

test.each([
  [-3n, 1n],
  [0n, 1n],
  [1n, 1n],
  [7n, 7n],
])('at least one: %s gives %s', (value, result) => {
  expect(words.atLeastOne(value)).toBe(result);
});
