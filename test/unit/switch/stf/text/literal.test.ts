import * as fc from 'fast-check';
import { allOnes } from '../../../../../common/p4runtime/bytestring';
import { parseLiteral } from '../../../../../switch/stf/text/token-reader';

describe('a number of a test', () => {
  test.each([
    { text: '0', value: 0n, known: 1n, bits: 1, radix: 10 },
    { text: '10', value: 10n, known: 15n, bits: 4, radix: 10 },
    { text: '0x1F', value: 31n, known: 255n, bits: 8, radix: 16 },
    { text: '0X1f', value: 31n, known: 255n, bits: 8, radix: 16 },
    { text: '0b0101', value: 5n, known: 15n, bits: 4, radix: 2 },
    { text: '0o17', value: 15n, known: 63n, bits: 6, radix: 8 },
    { text: '0x12**', value: 0x1200n, known: 0xff00n, bits: 16, radix: 16 },
    { text: '0x*1', value: 1n, known: 0x0fn, bits: 8, radix: 16 },
    { text: '0b1*0*', value: 8n, known: 0b1010n, bits: 4, radix: 2 },
    { text: '0o7*', value: 56n, known: 56n, bits: 6, radix: 8 },
    { text: '0x****', value: 0n, known: 0n, bits: 16, radix: 16 },
  ])('$text has value, known bits, width and radix', (literal) => {
    expect(parseLiteral(literal.text)).toEqual(literal);
  });

  test.each(['', 'x', '12ab', '0x', '0b2', '0o8', '1*', '-1', '1.5'])('%j is none', (text) => {
    expect(parseLiteral(text)).toBeUndefined();
  });

  test('is read back from any radix', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: allOnes(128) }), (value) => {
        for (const text of [
          value.toString(),
          `0x${value.toString(16)}`,
          `0b${value.toString(2)}`,
          `0o${value.toString(8)}`,
        ]) {
          expect(parseLiteral(text)?.value).toBe(value);
        }
      }),
    );
  });
});
