import type { Result } from '../../result/result';
import type { SlowdownBin } from '../../result/slowdowns';
import { figureAt } from '../../figures/dictionary';
import { figureText } from '../../figures/figure-text';
import { figureAxis, PLAIN } from './axis';
import type { Chart } from './chart';
import type { PageSection } from './page-data';

const PERCENTILES = [
  ['p50', 'median'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
  ['p999', '99.9th percentile'],
] as const;

/** FCT slowdown by flow size, as the papers of this field plot it; none where a run has few flows. */
export function slowdownCharts({ slowdowns }: Result): Chart[] {
  if (slowdowns === undefined) return [];
  return [
    {
      id: 'slowdowns',
      title: 'FCT slowdown by flow size',
      caption:
        'Completion time over that of the same flow alone on idle links, in bins of about equally ' +
        'many flows; each bin is named by its largest flow.',
      x: {
        label: 'flow size up to',
        categories: slowdowns.map(({ toBytes }) => sizeText(toBytes)),
      },
      y: figureAxis('flows.*.slowdown', PLAIN, { min: 1, isLogarithmic: true }),
      series: PERCENTILES.map(([key, name]) => ({
        name,
        x: slowdowns.map((_, i) => i),
        y: slowdowns.map((bin) => bin[key]),
      })),
      subject: 'Flows',
      wholeFile: 'slowdowns.csv',
    },
  ];
}

/** The same as a table. */
export function slowdownSections({ slowdowns }: Result): PageSection[] {
  if (slowdowns === undefined) return [];
  const heads = ['flow size', 'flows', ...PERCENTILES.map(([, name]) => name)];
  const rows = [heads, ...slowdowns.map(rowOf)];
  return [{ title: 'FCT slowdown by flow size', subject: 'Flows', rows }];
}

function rowOf(bin: SlowdownBin): string[] {
  const sizes = `${sizeText(bin.fromBytes)} to ${sizeText(bin.toBytes)}`;
  return [
    sizes,
    String(bin.flows),
    ...PERCENTILES.map(([key]) => figureText(figureAt(`slowdowns.*.${key}`), bin[key])),
  ];
}

/** Three digits and a unit of thousands. */
function sizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${Number((bytes / 1e3).toPrecision(3))} KB`;
  return `${Number((bytes / 1e6).toPrecision(3))} MB`;
}
