import { figureAt, figureName } from '../../figures/dictionary';
import { cellText, figureText, headOf } from '../../figures/figure-text';
import { MICROSECONDS } from './axis';
import type { CoordinationRecord } from '../../result/coordination-record';
import type { Result } from '../../result/result';
import type { PageSection } from './page-data';

const LOGGED = figureAt('coordination.log.*.atUs');

/** More lines than this are for `result.json`. */
const LINES_MAX = 400;

const START = figureAt('collectives.*.startUs');
const COMPLETION = figureAt('collectives.*.completionUs');

/** Sections of a report on workloads and coordination; empty where there is neither. */
export function coordinationSections({ collectives, coordination }: Result): PageSection[] {
  const sections: PageSection[] = [];
  if (collectives !== undefined) {
    const rows = collectives.map(({ name, kind, connections, bytes, startUs, completionUs }) => [
      `${name} (${kind})`,
      String(connections),
      String(bytes),
      cellText(START, startUs, MICROSECONDS),
      completionUs === null ? 'unfinished' : cellText(COMPLETION, completionUs, MICROSECONDS),
    ]);
    const heads = [
      'workload',
      'connections',
      'payload (bytes)',
      headOf(START, MICROSECONDS),
      headOf(COMPLETION, MICROSECONDS),
    ];
    sections.push({ title: 'Workloads', rows: [heads, ...rows] });
  }
  if (coordination === undefined) return sections;
  sections.push({ title: 'Coordination', rows: countRows(coordination) });
  sections.push(logSection(coordination));
  return sections;
}

/** Counts of coordination in the order of the page. */
const COUNTS = [
  'packets',
  'reordered',
  'reroutes',
  'taggedReroutes',
  'sourceReroutes',
  'reductionsBelowFair',
  'sent.controlRequired',
  'sent.controlReleased',
  'sent.reroutingRequired',
  'received.controlRequired',
  'received.controlReleased',
  'received.reroutingRequired',
  'tagged',
  'released',
  'expired',
] as const;

function countRows(record: CoordinationRecord): string[][] {
  const line = (path: string, value: number): string[] => [
    figureName(path),
    figureText(figureAt(path), value),
  ];
  return [
    ['mode', record.mode],
    ...COUNTS.map((key) => line(`coordination.${key}`, countAt(record, key))),
    ...Object.entries(record.refused).map(([reason, value]) =>
      line(`coordination.refused.${reason}`, value),
    ),
  ];
}

/** A count of the record itself, or of one of its notifications. */
function countAt(record: CoordinationRecord, key: (typeof COUNTS)[number]): number {
  const [at = '', type] = key.split('.');
  const value: unknown = record[at as keyof CoordinationRecord];
  return Number(type === undefined ? value : (value as Record<string, number>)[type]);
}

function logSection({ log, logOmitted }: CoordinationRecord): PageSection {
  const shown = log
    .slice(0, LINES_MAX)
    .map(({ atUs, what, node, flow, detail }) => [
      cellText(LOGGED, atUs, MICROSECONDS),
      what,
      node,
      String(flow),
      detail,
    ]);
  const rest = log.length - shown.length + logOmitted;
  return {
    title: 'What happened, step by step',
    rows: [[headOf(LOGGED, MICROSECONDS), 'what', 'where', 'flow', 'detail'], ...shown],
    ...(rest > 0 && { text: [`and ${rest} more`] }),
  };
}
