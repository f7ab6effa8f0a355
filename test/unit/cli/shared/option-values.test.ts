import {
  baseRttOption,
  bytesOption,
  countOption,
  portsOption,
  scaledOption,
} from '../../../../cli/shared/option-values';

describe('numbers with a suffix', () => {
  test.each([
    ['5000', 5000],
    ['2.5M', 2_500_000],
    ['10g', 10e9],
    ['1K', 1000],
  ])('%s is %d', (text, value) => {
    expect(scaledOption(text)).toBe(value);
  });

  test.each(['', '0', '-1', '5X', 'M', '1e3', '5 M'])("'%s' is refused", (text) => {
    expect(() => scaledOption(text)).toThrow('must be a number above 0');
  });

  test('parts of a byte are refused', () => {
    expect(() => bytesOption('1.5')).toThrow('must be a whole number of bytes');
  });
});

describe('T', () => {
  test.each([
    ['auto', 'auto'],
    ['1500', 1500],
    ['0.5', 0.5],
  ])('may be %s', (text, value) => {
    expect(baseRttOption(text)).toBe(value);
  });

  test.each(['', ' ', '0', '-1', 'Auto', 'automatic', '1ms', 'NaN', 'Infinity'])(
    "may not be '%s'",
    (text) => {
      expect(() => baseRttOption(text)).toThrow('must be a number above 0, or auto.');
    },
  );
});

test.each(['0', '65536', 'http', '80,', ''])('the list of ports %j is refused', (list) => {
  expect(() => portsOption(list)).toThrow('ports from 1 to 65535');
});

test.each([
  ['0', 'a whole number, 1 or more'],
  ['1.5', 'a whole number, 1 or more'],
])('%s is no count', (text, message) => {
  expect(() => countOption(text)).toThrow(message);
});
