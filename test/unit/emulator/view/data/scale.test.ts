import { durationText } from '../../../../../emulator/view/data/duration-text';
import { runPage } from '../../../../../emulator/view/data/run-page';
import type { RunView } from '../../../../../emulator/view/data/page-data';
import { rateScale, timeScale } from '../../../../../emulator/view/data/scale';
import { RESULT } from '../../../../support/result';

describe('units of a page', () => {
  test.each([
    [4.2, 4.2, '4.2 us'],
    [99_999, 1500, '1500.0 us'],
    [100_000, 1500, '1.500 ms'],
    [30_000_000, 1_500_000, '1.500 s'],
  ])('of a run of %d us: %d us are %s', (durationUs, value, expected) => {
    const { unit, factor } = timeScale({ durationUs });
    const run = { timeUnit: unit, timeFactor: factor } as RunView;
    expect(durationText(value, run)).toBe(expected);
  });

  test.each([
    [100, 'Gb/s'],
    [1, 'Gb/s'],
    [0.02, 'Mb/s'],
  ])('links of %d Gb/s have rates in %s', (rateGbps, unit) => {
    const links = [{ a: 'h1', b: 's1', rateGbps, delayUs: 0 }];
    expect(rateScale({ topology: { nodes: [], links } }).unit).toBe(unit);
  });

  test('are the same in charts, flows and facts', () => {
    const page = runPage({ ...RESULT, durationUs: 30e6 });
    const text = JSON.stringify(page);
    for (const each of ['FCT (s)', 'time (s)', '"timeUnit":"s"']) expect(text).toContain(each);
    expect(text).not.toContain('(us)');
    const [queue] = page.charts;
    expect([queue?.series[0]?.x[1], queue?.series[0]?.y[1]]).toEqual([0, 1.106]);
  });
});
