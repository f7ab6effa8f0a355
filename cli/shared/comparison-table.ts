import { alignedTable } from '../../common/io/terminal';
import { figureColumns } from '../../emulator/figures/figure-columns';
import type { FigureColumn } from '../../emulator/figures/figure-columns';
import type { ComparisonRow } from '../../emulator/result/comparison';

const COLUMNS: readonly FigureColumn<ComparisonRow>[] = [
  { path: 'bottleneck.queuePeakBytes', of: ({ queuePeakBytes }) => queuePeakBytes },
  { path: 'bottleneck.queueP99Bytes', of: ({ queueP99Bytes }) => queueP99Bytes },
  { path: 'bottleneck.drainedAtUs', of: ({ drainedAtUs }) => drainedAtUs },
  { path: 'bottleneck.utilization', of: ({ utilization }) => utilization },
  { path: 'jain', of: ({ jain }) => jain },
  { path: 'compare.jainAfterJoins', of: ({ jainAfterJoins }) => jainAfterJoins, isOptional: true },
  { path: 'fctUs.median', of: ({ fctUs }) => fctUs?.median },
  { path: 'fctUs.max', of: ({ fctUs }) => fctUs?.max },
  { path: 'compare.fairAfterUs', of: ({ fairAfterUs }) => fairAfterUs, isOptional: true },
  { path: 'allFlows.unfinished', of: ({ unfinished }) => unfinished, isOptional: true },
  { path: 'traffic.feedback.packets', of: ({ feedbackPackets }) => feedbackPackets },
  { path: 'traffic.feedback.bytes', of: ({ feedbackBytes }) => feedbackBytes },
  { path: 'compare.feedbackPerRtt', of: ({ feedbackPerRtt }) => feedbackPerRtt },
  { path: 'traffic.probes.bytes', of: ({ probeBytes }) => probeBytes, isOptional: true },
  {
    path: 'compare.switchResponses',
    of: ({ switchResponses }) => switchResponses,
    isOptional: true,
  },
  { path: 'compare.refused', of: ({ refused }) => refused, isOptional: true },
  { path: 'compare.lostOnLinks', of: (row) => row.lostOnLinks, isOptional: true },
];

/** The rows as text, with heads; columns that no row has anything to say in are left out. */
export function comparisonTable(rows: readonly ComparisonRow[]): string {
  const [heads = [], ...cells] = figureColumns(rows, COLUMNS);
  const lines = rows.map(({ variant }, i) => [variant, ...(cells[i] ?? [])]);
  return alignedTable([['variant', ...heads], ...lines]);
}
