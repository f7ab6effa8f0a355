import { figureColumns } from '../../figures/figure-columns';
import { figureAt } from '../../figures/dictionary';
import { figureText } from '../../figures/figure-text';
import type { Result } from '../../result/result';
import type { TraceRecord } from '../../result/trace-record';
import type { PageSection } from './page-data';

/** More lines than this are for `result.json`. */
const LINES_MAX = 200;

/** Sections of a report on traces of ranks: the step and why it took so long, its ranks, its collectives. */
export const traceSections = ({ traces = [] }: Result): PageSection[] =>
  traces.flatMap((trace) => [stepSection(trace), rankSection(trace), ...collectiveSections(trace)]);

function stepSection({
  name,
  stepUs,
  exposedUs,
  slowest,
  unfinishedTasks,
}: TraceRecord): PageSection {
  const text = (path: string, value: number | null): string => figureText(figureAt(path), value);
  const rows = [
    [figureAt('traces.*.stepUs').name, text('traces.*.stepUs', stepUs)],
    [figureAt('traces.*.exposedUs').name, text('traces.*.exposedUs', exposedUs)],
    ...(unfinishedTasks > 0
      ? [['unfinished steps', text('traces.*.unfinishedTasks', unfinishedTasks)]]
      : []),
  ];
  return {
    title: `Trace ${name}`,
    ...(slowest !== null && { text: [slowest.text] }),
    rows: [['', ''], ...rows],
  };
}

/** Those that are done last come first. */
function rankSection({ name, ranks }: TraceRecord): PageSection {
  const shown = ranks
    .toSorted((a, b) => (b.finishUs ?? Infinity) - (a.finishUs ?? Infinity))
    .slice(0, LINES_MAX);
  const cells = figureColumns(shown, [
    { path: 'traces.*.ranks.*.rank', of: ({ rank }) => rank },
    { path: 'traces.*.ranks.*.finishUs', of: ({ finishUs }) => finishUs },
    { path: 'traces.*.ranks.*.computeUs', of: ({ computeUs }) => computeUs },
    { path: 'traces.*.ranks.*.communicationUs', of: ({ communicationUs }) => communicationUs },
    { path: 'traces.*.ranks.*.exposedUs', of: (each) => each.exposedUs },
  ]);
  const hosts = ['host', ...shown.map(({ host }) => host)];
  const rows = cells.map(([rank = '', ...rest], i) => [rank, hosts[i] ?? '', ...rest]);
  return { title: `Ranks of ${name}, the slowest first`, rows };
}

function collectiveSections({ name, collectives, collectivesOmitted }: TraceRecord): PageSection[] {
  const shown = collectives.slice(0, LINES_MAX);
  if (shown.length === 0) return [];
  const cells = figureColumns(shown, [
    { path: 'traces.*.collectives.*.ranks', of: ({ ranks }) => ranks },
    { path: 'traces.*.collectives.*.bytes', of: ({ bytes }) => bytes },
    { path: 'traces.*.collectives.*.startUs', of: ({ startUs }) => startUs },
    { path: 'traces.*.collectives.*.timeUs', of: ({ timeUs }) => timeUs },
    {
      path: 'traces.*.collectives.*.busBandwidthGbps',
      of: ({ busBandwidthGbps }) => busBandwidthGbps,
    },
    { path: 'traces.*.collectives.*.lastToEnter', of: ({ lastToEnter }) => lastToEnter },
  ]);
  const names = [
    ['collective', 'operation'],
    ...shown.map((each) => [each.name, `${each.operation} (${each.algorithm})`]),
  ];
  const left = collectives.length + collectivesOmitted - shown.length;
  return [
    {
      title: `Collectives of ${name}`,
      ...(left > 0 && { text: [`${left} more are counted, but not listed here`] }),
      rows: cells.map((row, i) => [...(names[i] ?? []), ...row]),
    },
  ];
}
