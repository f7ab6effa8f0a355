import { chartsOf } from '../../../../emulator/report/charts';
import { renderReport } from '../../../../emulator/report/html';
import { RESULT } from '../../../support/result';

describe('the report', () => {
  const page = renderReport(RESULT, 'var echarts = {}; // </script> in a comment');

  test('shows queue, rates, windows, completion times, fairness and topology', () => {
    const ids = ['queue', 'rates', 'windows', 'fct', 'fairness', 'topology'];
    expect(chartsOf(RESULT).map(({ id }) => id)).toEqual(ids);
    for (const id of ids) expect(page).toContain(`<div id="${id}"`);
  });

  test('is one file: it loads nothing', () => {
    expect(page).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
  });

  test('escapes text and cannot be ended early by a script', () => {
    expect(page).toContain('A &lt;tiny&gt; run');
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  test('names broken invariants where there are any', () => {
    expect(page).not.toContain('Broken invariants');
    const broken = renderReport({ ...RESULT, violations: ['s1: bytes vanished'] }, '');
    expect(broken).toContain('<li>s1: bytes vanished</li>');
  });

  test('marks the bottleneck link in the topology', () => {
    const chart = chartsOf(RESULT).find(({ id }) => id === 'topology');
    const [series] = chart?.option.series as { links: { lineStyle: { color?: string } }[] }[];
    expect(series?.links.map(({ lineStyle }) => lineStyle.color)).toEqual(['#c0392b', undefined]);
  });

  test('keeps the highest value when it thins a long series', () => {
    const bytes = Array.from({ length: 20_000 }, (_, i) => (i === 12_345 ? 9000 : 0));
    const long = { ...RESULT, queueTimeline: { ...RESULT.queueTimeline, bytes } };
    const [series] = chartsOf(long)[0]?.option.series as { data: [number, number][] }[];
    expect(series?.data.length).toBeLessThanOrEqual(6000);
    expect(Math.max(...(series?.data ?? []).map(([, y]) => y))).toBe(9);
  });
});
