import type { Result } from '../result/result';
import type { SlowdownBin } from '../result/slowdowns';
import { htmlSection, htmlTable } from './page';
import type { Chart } from './page';

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
      heightPx: 320,
      option: {
        animation: false,
        grid: { left: 64, right: 24, top: 36, bottom: 84 },
        tooltip: { trigger: 'axis', confine: true },
        legend: { bottom: 0 },
        xAxis: {
          type: 'category',
          data: slowdowns.map(({ toBytes }) => sizeText(toBytes)),
          name: 'flow size up to',
          nameLocation: 'middle',
          nameGap: 28,
        },
        yAxis: { type: 'log', name: 'slowdown', min: 1 },
        series: PERCENTILES.map(([key, name]) => ({
          type: 'line' as const,
          name,
          data: slowdowns.map((bin) => bin[key]),
        })),
      },
    },
  ];
}

/** The same as a table. */
export function slowdownSections({ slowdowns }: Result): string[] {
  if (slowdowns === undefined) return [];
  const heads = ['flow size', 'flows', ...PERCENTILES.map(([, name]) => name)];
  return [htmlSection('FCT slowdown by flow size', htmlTable([heads, ...slowdowns.map(rowOf)]))];
}

function rowOf(bin: SlowdownBin): string[] {
  const sizes = `${sizeText(bin.fromBytes)} to ${sizeText(bin.toBytes)}`;
  return [sizes, String(bin.flows), ...PERCENTILES.map(([key]) => bin[key].toFixed(2))];
}

/** Three digits and a unit of thousands. */
function sizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${Number((bytes / 1e3).toPrecision(3))} KB`;
  return `${Number((bytes / 1e6).toPrecision(3))} MB`;
}
