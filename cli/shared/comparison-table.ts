import { alignedTable } from '../../common/io/terminal';
import type { ComparisonRow } from '../../emulator/result/comparison';

/** A column, and whether it is left out when no row has anything to say in it. */
interface Column {
  readonly head: string;
  readonly cell: (row: ComparisonRow) => string;
  readonly isOptional?: true;
}

const COLUMNS: readonly Column[] = [
  { head: 'variant', cell: ({ variant }) => variant },
  { head: 'peak KB', cell: (row) => kilobytes(row.queuePeakBytes) },
  { head: 'p99 KB', cell: (row) => kilobytes(row.queueP99Bytes) },
  { head: 'drained us', cell: (row) => row.drainedAtUs?.toFixed(1) ?? NONE },
  { head: 'used %', cell: (row) => (row.utilization * 100).toFixed(1) },
  { head: 'Jain', cell: (row) => row.jain?.toFixed(4) ?? NONE },
  {
    head: 'Jain after joins',
    cell: (row) => row.jainAfterJoins?.toFixed(4) ?? NONE,
    isOptional: true,
  },
  { head: 'FCT median', cell: (row) => row.fctUs?.median.toFixed(1) ?? NONE },
  { head: 'FCT max', cell: (row) => row.fctUs?.max.toFixed(1) ?? NONE },
  {
    head: 'fair after us',
    cell: (row) => row.fairAfterUs?.toFixed(1) ?? NONE,
    isOptional: true,
  },
  { head: 'unfinished', cell: (row) => count(row.unfinished), isOptional: true },
  { head: 'feedback', cell: (row) => String(row.feedbackPackets) },
  { head: 'bytes', cell: (row) => String(row.feedbackBytes) },
  { head: 'per RTT', cell: (row) => row.feedbackPerRtt.toFixed(2) },
  { head: 'probe bytes', cell: (row) => count(row.probeBytes), isOptional: true },
  { head: 'switch answers', cell: (row) => count(row.switchResponses), isOptional: true },
  { head: 'refused', cell: (row) => count(row.refused), isOptional: true },
];

const NONE = '-';
const count = (n: number): string => (n === 0 ? NONE : String(n));
const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

/** The rows as text, with heads; columns that no row has anything to say in are left out. */
export function comparisonTable(rows: readonly ComparisonRow[]): string {
  const columns = COLUMNS.filter(
    ({ isOptional, cell }) => isOptional !== true || rows.some((row) => cell(row) !== NONE),
  );
  const lines = rows.map((row) => columns.map(({ cell }) => cell(row)));
  return alignedTable([columns.map(({ head }) => head), ...lines]);
}
