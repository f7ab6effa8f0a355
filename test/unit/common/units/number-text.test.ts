import { parseNumber, parseWhole, parseWideWhole } from '../../../../common/units/number-text';

test.each([
  ['0', 0],
  ['5000', 5000],
  ['2.5M', 2_500_000],
  ['10g', 10e9],
  ['1T', 1e12],
  ['1e9', 1e9],
  ['1.5e-3', 0.0015],
  ['0x12B7', 4791],
  ['0X10', 16],
])('%s is %d', (text, value) => {
  expect(parseNumber(text)).toBe(value);
});

test.each(['', ' ', '-1', '+1', '.5', '5.', '0x', '0x1G', '1KB', '5 M', '1e999', 'NaN', 'K', '١'])(
  "'%s' is no number",
  (text) => {
    expect(parseNumber(text)).toBeUndefined();
    expect(parseWhole(text)).toBeUndefined();
    expect(parseWideWhole(text)).toBeUndefined();
  },
);

test('whole numbers are exact', () => {
  expect(parseWhole('1.5K')).toBe(1500);
  expect(parseWhole('1.5')).toBeUndefined();
  expect(parseWhole('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(parseWhole('9007199254740992')).toBeUndefined();
});

test('wide ones have every digit', () => {
  expect(parseWideWhole('340282366920938463463374607431768211455')).toBe((1n << 128n) - 1n);
  expect(parseWideWhole('0xffffffffffffffffffffffffffffffff')).toBe((1n << 128n) - 1n);
});
