import * as path from 'node:path';
import { repositoryRoot } from '../../common/io/repository';
import { FIGURE_SECTIONS } from '../../emulator/figures/dictionary';
import type { Figure, FigureTable } from '../../emulator/figures/figure';

export const FIGURES_PAGE = path.join(repositoryRoot(), 'docs', 'figures.md');

const HEAD = `# Figures

[Simulate](index.md#simulate) · [tutorial](tutorial.md)

Every figure and series that results, tables, charts and studies show, with the one name that all of them use.
*path*: its place in \`result.json\` (\`hpcc-result/1\`), which studies name under \`figures\`, or its key in the output
of \`hpcc compare --json\`; \`*\` stands for every element; and its column in the CSV files beside a result. *unit*: that of the files; tables and charts choose us, ms or s, B
to GB, Mb/s or Gb/s, and % by the size of the values. *digits*: significant ones that are shown; counts are exact, and a mean
over seeds has as many digits as two of its interval leave. *better*: the direction in which a network is better. This page is
made from the dictionary that all of them read, \`emulator/figures\`, by \`npm run api\`.
`;

const COLUMNS = ['figure', 'path', 'unit', 'digits', 'better', 'how it is computed', 'absent when'];

/** The text of docs/figures.md. */
export function figuresPage(): string {
  const sections = FIGURE_SECTIONS.map(
    ([title, figures]) => `## ${title}\n\n${tableText([COLUMNS, ...rowsOf(figures)])}\n`,
  );
  return [HEAD, ...sections].join('\n');
}

const rowsOf = (figures: FigureTable): string[][] =>
  Object.entries(figures).map(([at, figure]) => cellsOf(at, figure));

function cellsOf(at: string, figure: Figure): string[] {
  const { name, symbol, quantity, unit, digits, better, meaning, absent = '' } = figure;
  const column = figure.column === undefined ? '' : `, CSV \`${figure.column}\``;
  return [
    symbol === undefined || symbol === name ? name : `${name}, ${symbol}`,
    `\`${at}\`${column}`,
    unit,
    quantity === 'count' ? 'all' : String(digits),
    better === 'neither' ? '' : better,
    meaning,
    absent,
  ];
}

const tableText = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...body] = rows;
  const lines = [head, head.map(() => '---'), ...body];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
};
