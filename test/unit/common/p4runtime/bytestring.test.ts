import * as fc from 'fast-check';
import {
  allOnes,
  decodeSigned,
  decodeValue,
  encodeSigned,
  encodeValue,
  fitsSigned,
  fitsWidth,
  prefixMask,
} from '../../../../common/p4runtime/bytestring';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

describe('byte strings', () => {
  // The examples of P4Runtime 1.5.0, section "Bytestrings".
  test.each([
    [99n, '63'],
    [12388n, '3064'],
    [0n, '00'],
    [255n, 'ff'],
    [256n, '0100'],
    [2n ** 64n, '010000000000000000'],
  ])('%d is encoded in the fewest bytes', (value, expected) => {
    expect(hex(encodeValue(value))).toBe(expected);
  });

  test.each([
    ['63', 8, 99n],
    ['0063', 16, 99n],
    ['000063', 12, 99n],
    ['003064', 16, 12388n],
    ['0fff', 12, 4095n],
    ['01', 1, 1n],
  ])('%s is a value of %d bits', (text, width, expected) => {
    expect(decodeValue(bytes(text), width, 'x')).toBe(expected);
  });

  test.each([
    ['0163', 8],
    ['010063', 16],
    ['1063', 12],
    ['010063', 12],
    ['004063', 12],
    ['02', 1],
  ])('%s does not fit in %d bits', (text, width) => {
    expect(() => decodeValue(bytes(text), width, 'field f')).toThrow(
      `does not fit in ${width} bits`,
    );
  });

  test('the empty string is no value, and the message says of what', () => {
    expect(() => decodeValue(bytes(''), 8, "table 't', field 'f'")).toThrow(
      "table 't', field 'f': a value of 8 bits is needed, found none",
    );
  });

  test('what is encoded and padded is read back', () => {
    const value = fc.bigInt({ min: 0n, max: 2n ** 200n });
    fc.assert(
      fc.property(value, fc.nat(5), (number, padding) => {
        const padded = Uint8Array.from([
          ...new Array<number>(padding).fill(0),
          ...encodeValue(number),
        ]);
        expect(decodeValue(padded, 201, 'x')).toBe(number);
      }),
    );
  });

  test('masks and limits of widths are exact', () => {
    expect(allOnes(48)).toBe(0xffff_ffff_ffffn);
    expect(prefixMask(24, 32)).toBe(0xffff_ff00n);
    expect(prefixMask(0, 32)).toBe(0n);
    expect(prefixMask(9, 9)).toBe(511n);
    expect(fitsWidth(511n, 9)).toBe(true);
    expect(fitsWidth(512n, 9)).toBe(false);
    expect(fitsWidth(-1n, 9)).toBe(false);
  });

  test('a negative value is a defect of the caller', () => {
    expect(() => encodeValue(-1n)).toThrow('Internal error');
  });

  test.each([
    [127n, '7f'],
    [128n, '0080'],
    [-1n, 'ff'],
    [-128n, '80'],
    [-129n, 'ff7f'],
    [0n, '00'],
  ])("the signed number %d is the two's complement %s", (value, text) => {
    expect(hex(encodeSigned(value))).toBe(text);
    expect(decodeSigned(bytes(text), 16, 'x')).toBe(value);
  });

  test('signed numbers are read with any padding, and refused when they are too wide', () => {
    expect(decodeSigned(bytes('ffffff80'), 8, 'x')).toBe(-128n);
    expect(() => decodeSigned(bytes('0080'), 8, 'x')).toThrow('x: 128 does not fit in 8 signed');
    expect(() => decodeSigned(bytes(''), 8, 'x')).toThrow('x: a value of 8 bits is needed');
    expect([fitsSigned(127n, 8), fitsSigned(-129n, 8)]).toEqual([true, false]);
  });

  test('six bytes and seven are read alike, though one way is a number and the other is not', () => {
    const value = fc.bigInt(0n, 2n ** 56n - 1n);
    fc.assert(
      fc.property(value, (each) => {
        expect(decodeValue(encodeValue(each), 56, 'x')).toBe(each);
        expect(hex(encodeValue(each)).replace(/^0(?!$)/, '')).toBe(each.toString(16));
      }),
    );
  });
});
