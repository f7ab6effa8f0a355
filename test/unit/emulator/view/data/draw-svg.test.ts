import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../../../../support/paths';
import { chartCsv } from '../../../../../emulator/view/data/chart';
import type { Chart } from '../../../../../emulator/view/data/chart';
import { drawSvg } from '../../../../../emulator/view/data/draw-svg';

const CHART: Chart = {
  id: 'a',
  title: 'A <title>',
  caption: '',
  x: { label: 'time (us)', min: 0, max: 10 },
  y: { label: 'KB', min: 0 },
  series: [
    { name: 'one', kind: 'area', x: [0, 5, 10, 20], y: [0, 8, 4, 100] },
    { name: '=two,"x"', kind: 'reference', x: [0, 10], y: [3, null] },
  ],
};

test('a chart becomes a picture: axes with few digits, names as text, nothing beyond the axis', () => {
  const svg = drawSvg([CHART], './hpcc <x>');
  expect(svg).toContain('A &lt;title&gt;');
  expect(svg).toContain('<desc>./hpcc &lt;x&gt;</desc>');
  expect(svg).toContain('prefers-color-scheme:dark');
  expect(svg).toContain('>100</text>');
  // 10 us is the right end of the box, at 504 px; 20 us is not there.
  expect(svg).toMatch(/L504 [\d.]+"/);
  expect(svg).not.toMatch(/NaN|Infinity/);
  expect(drawSvg([CHART], './hpcc <x>')).toBe(svg);
});

test('a logarithmic axis has powers of ten', () => {
  const y = { label: 'share', isLogarithmic: true, min: 1e-3, max: 1 };
  const series = [{ name: 'one', kind: 'step' as const, x: [0, 10], y: [1, 0.001] }];
  const svg = drawSvg([{ ...CHART, y, series }], '');
  for (const tick of ['0.001', '0.01', '0.1', '1']) expect(svg).toContain(`>${tick}</text>`);
});

test('intervals are upright lines, and end where the axis does', () => {
  const one = { name: 'one', x: [0, 10], y: [10, 100], halfWidths: [20, 50] };
  const y = { label: 'bytes', isLogarithmic: true };
  // 10 to 1000 between 332 and 58 px: 30 to below the axis, and 150 to 50.
  const svg = drawSvg([{ ...CHART, x: { label: '' }, y, series: [one] }], '');
  expect(svg).toContain('d="M64 266.6V332M504 170.9V236.2"');
  for (const tick of ['10', '100', '1000']) expect(svg).toContain(`>${tick}</text>`);
});

test('words stand at their places, and a zero at the end of a logarithmic axis', () => {
  const x = { label: 'algorithm', categories: ['hpccpp', 'dcqcn'] };
  const y = { label: 'drops', isLogarithmic: true };
  const one = { name: 'one', x: [0, 1], y: [0, 50], halfWidths: [0, 100] };
  const svg = drawSvg([{ ...CHART, x, y, series: [one] }], '');
  expect(svg).toMatch(/x="174" [^>]*>hpccpp<.*x="394" [^>]*>dcqcn</);
  expect(svg).toContain('d="M174 332L394 ');
  expect(svg).not.toMatch(/NaN|Infinity/);
  const zeros = drawSvg([{ ...CHART, x, y, series: [{ ...one, y: [0, 0] }] }], '');
  expect(zeros).not.toMatch(/NaN|Infinity/);
});

test('as CSV it has a row per point, and no text that a spreadsheet would run', () => {
  expect(chartCsv(CHART).split('\n').slice(0, 2)).toEqual(['series,time (us),KB', 'one,0,0']);
  expect(chartCsv(CHART)).toContain('"\'=two,""x""",10,\n');
});

test('every picture of the documentation names the command that makes it', () => {
  const folder = path.join(ROOT, 'docs', 'images');
  for (const name of fs.readdirSync(folder)) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    expect([name, text]).toEqual([
      name,
      expect.stringMatching(/<desc>(sudo )?\.\/hpcc .*<\/desc>/),
    ]);
  }
});
