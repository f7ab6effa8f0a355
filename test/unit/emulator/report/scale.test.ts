import { chartsOf } from '../../../../emulator/report/charts';
import { renderReport } from '../../../../emulator/report/html';
import { rateScale, scaled, timeScale } from '../../../../emulator/report/scale';
import { RESULT } from '../../../support/result';

describe('units of a report', () => {
  test.each([
    [4.2, 4.2, '4.2 us'],
    [99_999, 1500, '1500.0 us'],
    [100_000, 1500, '1.500 ms'],
    [30_000_000, 1_500_000, '1.500 s'],
  ])('of a run of %d us: %d us are %s', (durationUs, value, expected) => {
    expect(scaled(value, timeScale({ durationUs }))).toBe(expected);
  });

  test.each([
    [100, 'Gb/s'],
    [1, 'Gb/s'],
    [0.02, 'Mb/s'],
  ])('links of %d Gb/s have rates in %s', (rateGbps, unit) => {
    const links = [{ a: 'h1', b: 's1', rateGbps, delayUs: 0 }];
    expect(rateScale({ topology: { nodes: [], links } }).unit).toBe(unit);
  });

  test('are the same in charts, tables and facts', () => {
    const slow = { ...RESULT, durationUs: 30e6 };
    const page = renderReport(slow, '');
    for (const text of ['start (s)', 'FCT (s)', 'time (s)']) expect(page).toContain(text);
    expect(page).not.toContain('(us)');
    const [queue] = chartsOf(slow);
    const [series] = queue?.option.series as { data: [number, number][] }[];
    expect(series?.data[1]).toEqual([0.1 / 1e6, 1.106]);
  });
});

test('hosts of one switch stand side by side', () => {
  const nodes = ['s1', 's2', 'h1', 'h2', 'h3', 'h4'].map((name) => ({
    name,
    kind: name.startsWith('s') ? ('switch' as const) : ('host' as const),
  }));
  const link = (a: string, b: string) => ({ a, b, rateGbps: 1, delayUs: 0 });
  const links = [link('h1', 's1'), link('s2', 'h2'), link('h3', 's1'), link('h4', 's2')];
  const chart = chartsOf({ ...RESULT, topology: { nodes, links } }).at(-1);
  const [series] = chart?.option.series as { data: { name: string; x: number }[] }[];
  const hosts = (series?.data ?? []).filter(({ name }) => name.startsWith('h'));
  hosts.sort((a, b) => a.x - b.x);
  expect(hosts.map(({ name }) => name)).toEqual(['h1', 'h3', 'h2', 'h4']);
});
