import {
  baseRttOption,
  bytesOption,
  countOption,
  numberOption,
  portOption,
  portsOption,
  positiveOption,
  scaledOption,
  soonOption,
  wholeOption,
  within,
} from '../../../../cli/shared/option-values';

describe('numbers with a suffix', () => {
  test.each([
    ['5000', 5000],
    ['2.5M', 2_500_000],
    ['10g', 10e9],
    ['1K', 1000],
    ['1e3', 1000],
    ['0x1f', 31],
  ])('%s is %d', (text, value) => {
    expect(scaledOption(text)).toBe(value);
  });

  test.each(['', '0', '-1', '5X', 'M', '0x', '5 M', '0xfG'])("'%s' is refused", (text) => {
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

describe('every option of numbers', () => {
  const readers = [wholeOption, countOption, portOption, numberOption, positiveOption];

  test.each([...readers, scaledOption, bytesOption, baseRttOption])(
    'takes decimal and hexadecimal digits and suffixes (%p)',
    (read) => {
      expect(['4791', '0x12b7', '4.791k'].map((text) => read(text))).toEqual([4791, 4791, 4791]);
    },
  );

  test.each(readers)('takes no sign, no space and no other unit (%p)', (read) => {
    for (const text of ['-1', '+1', ' 1', '1 ', '', '0b1', '1KB', '1e999', 'Infinity']) {
      expect(() => read(text)).toThrow(/must be/);
    }
  });

  test('says the bounds that it has', () => {
    expect(() => portOption('65536')).toThrow('must be a whole number from 0 to 65535.');
    expect(() => wholeOption('9007199254740992')).toThrow('must be a whole number, 0 or more.');
  });
});

test.each([
  ['0', 'a whole number, 1 or more'],
  ['1.5', 'a whole number, 1 or more'],
])('%s is no count', (text, message) => {
  expect(() => countOption(text)).toThrow(message);
});

test('row 14: numbers beyond their ends are refused with both ends', () => {
  const parallel = within(1, 10_000, countOption);
  expect(parallel('10000')).toBe(10_000);
  expect(() => parallel('100000000')).toThrow('must be from 1 to 10000.');
  expect(() => within(1000, 1e14, scaledOption)('0.000000000001')).toThrow('must be from 1000');
  expect(() => within(0, 63, wholeOption)('64')).toThrow('must be from 0 to 63');
});

test('an instant for which no timer can wait is refused', () => {
  const now = Math.floor(Date.now() / 1000);
  expect(soonOption(String(now + 60))).toBe(now + 60);
  expect(soonOption('1')).toBe(1);
  expect(() => soonOption('99999999999')).toThrow('within the next 2000000 seconds');
});

test.each(['1e-300', '1e309', '10000001'])('T may not be %s us', (text) => {
  expect(() => baseRttOption(text)).toThrow('It is from 0.001 to 10000000 us');
});
