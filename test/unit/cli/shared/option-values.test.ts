import {
  countOption,
  numberOption,
  portOption,
  portsOption,
  positiveOption,
  soonOption,
  wholeOption,
  within,
} from '../../../../cli/shared/option-values';

test.each(['0', '65536', 'http', '80,', ''])('the list of ports %j is refused', (list) => {
  expect(() => portsOption(list)).toThrow('ports from 1 to 65535');
});

describe('every option of numbers', () => {
  const readers = [wholeOption, countOption, portOption, numberOption, positiveOption];

  test.each(readers)('takes decimal and hexadecimal digits and suffixes (%p)', (read) => {
    expect(['4791', '0x12b7', '4.791k'].map((text) => read(text))).toEqual([4791, 4791, 4791]);
  });

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
  expect(() => within(0, 63, wholeOption)('64')).toThrow('must be from 0 to 63');
});

test('an instant for which no timer can wait is refused', () => {
  const now = Math.floor(Date.now() / 1000);
  expect(soonOption(String(now + 60))).toBe(now + 60);
  expect(soonOption('1')).toBe(1);
  expect(() => soonOption('99999999999')).toThrow('within the next 2000000 seconds');
});
