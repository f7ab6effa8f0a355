import { count, data, ratio, share, time } from '../../../../emulator/figures/figure';
import {
  cellText,
  estimateText,
  figureText,
  headOf,
  significant,
} from '../../../../emulator/figures/figure-text';
import { rawScale, scaleOf } from '../../../../emulator/figures/scale';

const FCT = time('median FCT', 'm');
const QUEUE = data('peak queue', 'm');

describe('texts of figures', () => {
  test.each([
    [FCT, 162.4812, '162.5 us'],
    [FCT, 162481.2, '162.5 ms'],
    [FCT, 12_345_678, '12.35 s'],
    [FCT, 0, '0 us'],
    [FCT, null, '-'],
    [QUEUE, 855_123, '855.1 KB'],
    [QUEUE, 512, '512 B'],
    [QUEUE, 25_000_000, '25.00 MB'],
    [share('used', 'm'), 0.9504, '95.0 %'],
    [ratio('slowdown', 'm'), 1, '1.00'],
    [ratio('U', 'm'), 0.00001234, '1.23e-5'],
    [count('packets', 'drops', 'm'), 1_234_567, '1234567'],
    [count('packets', 'drops', 'm'), 12.345, '12.35'],
  ])('%# have significant digits, and the unit in which they are few', (figure, value, text) => {
    expect(figureText(figure, value)).toBe(text);
  });

  test('a column has one unit, that of its largest value', () => {
    const scale = scaleOf(QUEUE, [900, 855_123]);
    expect(headOf(QUEUE, scale)).toBe('peak queue (KB)');
    expect(cellText(QUEUE, 900, scale)).toBe('0.9000');
    expect(headOf(QUEUE, rawScale(QUEUE))).toBe('peak queue (bytes)');
    expect(headOf(ratio('slowdown', 'm'), rawScale(ratio('slowdown', 'm')))).toBe('slowdown');
  });

  test.each([
    [162.48, 8.7179, '162.5 ± 8.7'],
    [1184.2, 606.4, '1184 ± 606'],
    [1.07, 0.05, '1.070 ± 0.050'],
    [162.48, 0, '162.5 ± 0'],
    [2.0312, 10.2, '2.0 ± 10.2'],
    [162.48, null, '162.5'],
    [9.96, 0.0996, '9.96 ± 0.10'],
  ])('a mean of %f with %f has the digits that its interval leaves', (mean, halfWidth, text) => {
    expect(estimateText(FCT, { mean, halfWidth }, rawScale(FCT))).toBe(text);
  });

  test('a mean that rounds up has no digit too many', () => {
    expect(significant(9.9996, 4)).toBe('10.00');
    expect(significant(-0.5, 2)).toBe('-0.50');
  });
});
