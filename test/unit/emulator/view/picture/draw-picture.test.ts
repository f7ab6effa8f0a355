import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writePicture } from '../../../../../emulator/io/picture-file';
import type { Chart, ChartSeries } from '../../../../../emulator/view/data/chart';
import { chartCsv } from '../../../../../emulator/view/data/chart';
import { drawPicture } from '../../../../../emulator/view/picture/draw-picture';
import { PAPER_STYLES } from '../../../../../emulator/view/picture/picture-style';
import { ROOT } from '../../../../support/paths';
import { describeIf } from '../../../../support/requires';

const CHART: Chart = {
  id: 'a',
  title: 'A <title>',
  caption: '',
  x: { label: 'time (us)', min: 0, max: 10 },
  y: { label: 'KB', min: 0, max: 100 },
  series: [
    { name: 'one', kind: 'area', x: [0, 5, 10], y: [0, 50, 100] },
    { name: '=two,"x"', kind: 'reference', isStepped: true, x: [0, 5, 10], y: [20, 40, null] },
  ],
};

const texts = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '');

test('a chart becomes a picture: words are text, and equal charts give equal files', () => {
  const svg = drawPicture([CHART], './hpcc <x>');
  expect(svg).toContain('<desc>./hpcc &lt;x&gt;</desc>');
  expect(texts(svg)).toEqual(expect.arrayContaining(['A &lt;title&gt;', 'time (us)', 'KB', '100']));
  expect(svg).not.toMatch(/NaN|Infinity|zr\d/);
  expect(drawPicture([CHART], './hpcc <x>')).toBe(svg);
});

test.each([
  [0.82, ['0.8', '0.85', '0.9', '0.95', '1']],
  [0.9916, ['0.99', '0.9925', '0.995', '0.9975', '1']],
  [0.31, ['0.2', '0.4', '0.6', '0.8', '1']],
  [1, ['0.9975', '1']],
])('the axis of a chart that ends at 1 and goes down to %d has whole steps', (least, ticks) => {
  const [line] = CHART.series;
  const series = [{ ...(line as ChartSeries), y: [1, least, 1] }];
  const y = { label: 'Jain', max: 1 };
  const words = texts(drawPicture([{ ...CHART, y, series }], ''));
  expect(words.filter((word) => /^[01](\.\d+)?$/.test(word) && word !== '0')).toEqual(ticks);
});

test('values are where the axes say, steps are steps, and references are dashed', () => {
  const svg = drawPicture([CHART], '', PAPER_STYLES.page);
  const [left, right] = ['0', '10'].map((tick) => labelled(svg, tick, 'middle')[0]);
  const [bottom, top] = ['0', '100'].map((tick) => labelled(svg, tick, 'end')[1]);
  const places = [
    [left, bottom],
    [mean(left, right), mean(top, bottom)],
    [right, top],
  ];
  const [, area = ''] = /<path d="M([^"Z]*)" fill="none" stroke="#2f74d0"/.exec(svg) ?? [];
  const points = area.split('L').map((point) => point.split(' ').map(Number));
  points.forEach(([x, y], i) => {
    expect(Math.abs((x ?? NaN) - (places[i]?.[0] ?? NaN))).toBeLessThan(0.2);
    expect(Math.abs((y ?? NaN) - (places[i]?.[1] ?? NaN))).toBeLessThan(0.2);
  });
  expect(points).toHaveLength(3);
  expect(svg).toMatch(/d="M[\d.]+ ([\d.]+)L([\d.]+) \1L\2 [\d.]+L[^"]*"[^>]*stroke-dasharray/);
});

const mean = (a = NaN, b = NaN): number => (a + b) / 2;

/** Place of a number at an axis. */
function labelled(svg: string, tick: string, anchor: string): number[] {
  const found = new RegExp(
    `text-anchor="${anchor}"[^>]*translate\\(([\\d.]+) ([\\d.]+)\\)"[^>]*>${tick}<`,
  ).exec(svg);
  return (found ?? []).slice(1).map(Number);
}

test('a paper has its widths in points, its letters, and no titles', () => {
  const column = drawPicture([CHART], '', PAPER_STYLES.column);
  expect(column).toContain('width="240pt" height="160pt" viewBox="0 0 240 160"');
  expect(column).toContain('Times New Roman');
  expect(texts(column)).not.toContain('A &lt;title&gt;');
});

test('a logarithmic axis has powers of ten, and a zero at its end', () => {
  const y = { label: 'drops', isLogarithmic: true };
  const x = { label: 'algorithm', categories: ['hpccpp', 'dcqcn'] };
  const one = { name: 'one', x: [0, 1], y: [0, 50], halfWidths: [0, 100] };
  const svg = drawPicture([{ ...CHART, x, y, series: [one] }], '');
  expect(texts(svg)).toEqual(expect.arrayContaining(['hpccpp', 'dcqcn', '10', '100']));
  expect(svg).not.toMatch(/NaN|Infinity/);
  const zeros = drawPicture([{ ...CHART, x, y, series: [{ ...one, y: [0, 0] }] }], '');
  expect(zeros).not.toMatch(/NaN|Infinity/);
});

test('intervals have caps at both ends, but none where they go on below a logarithmic axis', () => {
  const one = { name: 'one', x: [1, 5], y: [40, 50], halfWidths: [10, 100] };
  const lines = (y: Chart['y']): number => {
    const svg = drawPicture([{ ...CHART, y, series: [one] }], '', PAPER_STYLES.column);
    return svg.split('stroke-opacity="0.6"').length - 1;
  };
  expect(lines({ label: 'KB' })).toBe(6);
  expect(lines({ label: 'KB', isLogarithmic: true })).toBe(5);
});

test('as CSV it has a row per point, and no text that a spreadsheet would run', () => {
  expect(chartCsv(CHART).split('\n').slice(0, 2)).toEqual(['series,time (us),KB', 'one,0,0']);
  expect(chartCsv(CHART)).toContain('"\'=two,""x""",10,\n');
});

test('every drawing of the documentation names the command that makes it', () => {
  const folder = path.join(ROOT, 'docs', 'images');
  for (const name of fs.readdirSync(folder).filter((each) => each.endsWith('.svg'))) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    expect([name, text]).toEqual([
      name,
      expect.stringMatching(/<desc>(sudo )?\.\/hpcc .*<\/desc>/),
    ]);
  }
});

const runs = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** Words that a picture of a run must keep as text. */
const WORDS = ['time (us)', 'one', '100'];

describeIf(runs('rsvg-convert'), 'a picture for librsvg', 'rsvg-convert is not on PATH', () => {
  test.each(['png', 'pdf'])('opens, as %s', (format) => {
    const input = drawPicture([CHART], '', PAPER_STYLES.column);
    const made = spawnSync('rsvg-convert', ['--format', format], { input });
    expect([made.status, String(made.stderr)]).toEqual([0, '']);
    expect(made.stdout.subarray(1, 4).toString()).toBe(format === 'png' ? 'PNG' : 'PDF');
  });
});

const PAPER_PROGRAMS = ['rsvg-convert', 'pdflatex', 'pdftotext'];
const ABSENT = PAPER_PROGRAMS.filter((name) =>
  name === 'pdftotext' ? spawnSync(name, ['-v']).error !== undefined : !runs(name),
);

describeIf(ABSENT.length === 0, 'a picture in a paper', `without ${ABSENT.join(', ')}`, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-paper-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test.each(['column', 'page'] as const)(
    'by pdflatex, as wide as a %s: words stay text',
    (width) => {
      const style = PAPER_STYLES[width];
      writePicture(CHART, path.join(folder, 'chart.pdf'), { style, command: '' });
      const paper = [
        '\\documentclass{article}\\usepackage{graphicx}\\begin{document}',
        '\\includegraphics{chart.pdf}',
        '\\setbox0\\hbox{\\includegraphics{chart.pdf}}\\typeout{as wide as \\the\\wd0.}',
        '\\end{document}',
      ];
      fs.writeFileSync(path.join(folder, 'paper.tex'), paper.join('\n'));
      const flags = ['-interaction=nonstopmode', '-halt-on-error', 'paper.tex'];
      const made = spawnSync('pdflatex', flags, { cwd: folder, encoding: 'utf8' });
      expect([made.status, made.status === 0 ? '' : made.stdout]).toEqual([0, '']);
      // Points of TeX are 72.27 to an inch.
      const [, points] = /as wide as ([\d.]+)pt/.exec(made.stdout) ?? [];
      expect(Number(points)).toBeCloseTo((style.width / 72) * 72.27, 0);
      const text = spawnSync('pdftotext', ['-layout', 'paper.pdf', '-'], { cwd: folder });
      for (const word of WORDS) expect(text.stdout.toString()).toContain(word);
    },
  );
});
