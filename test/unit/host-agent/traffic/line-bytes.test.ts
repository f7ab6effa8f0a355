import { asciiBytes, LineBytes } from '../../../../host-agent/traffic/line-bytes';
import * as fc from 'fast-check';

const made = (write: (line: LineBytes) => LineBytes): string =>
  Buffer.from(write(new LineBytes()).finish()).toString();

describe('a line that is made as bytes', () => {
  test.each([
    [0, '0'],
    [7, '7'],
    [10, '10'],
    [999_999, '999999'],
    [0.5, '0.5'],
    [0.000001, '0.000001'],
    [0.0000004, '0'],
    [-0.0000004, '0'],
    [-2.25, '-2.25'],
    [1.9999999, '2'],
    [1_795_573_785.168796, '1795573785.168796'],
    [Infinity, 'null'],
    [NaN, 'null'],
    [null, 'null'],
  ])('has %d as %s', (value, text) => {
    expect(made((line) => line.decimal(value))).toBe(text);
  });

  test('has numbers as JSON has them, with six decimals', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        expect(Number(made((line) => line.decimal(value)))).toBeCloseTo(value, 6);
        expect(made((line) => line.whole(value))).toBe(String(Math.round(value) + 0));
      }),
    );
  });

  test('grows, and begins anew when it is finished', () => {
    const line = new LineBytes();
    const long = asciiBytes('x'.repeat(2000));
    expect(line.text(long).whole(12).finish()).toHaveLength(2002);
    expect(line.whole(34).finish()).toEqual(asciiBytes('34'));
  });
});
