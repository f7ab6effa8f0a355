import { csvColumn } from '../figures/dictionary';
import type { FlowRecord, Result } from './result';

/**
 * Series of a result as comma-separated values, by file name; the first row names the columns.
 * Lines are made when they are read: together they can take more memory than the run itself.
 */
export function csvFiles(result: Result): ReadonlyMap<string, Iterable<string>> {
  return new Map([...resultTables(result)].map(([name, table]) => [`${name}.csv`, lines(table)]));
}

export type Cell = string | number | null;

/** Series of a result as a table. */
export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly Cell[]>;
}

/** Series of a result by name; flows only where the result lists them all. */
export function resultTables(result: Result): ReadonlyMap<string, ResultTable> {
  return new Map([
    ['queue', queueTable(result)],
    // Those of a large run were written while it went on.
    ...(hasRows(result) ? [] : [['flows', flowsTable(result)] as const]),
    ['rates', ratesTable(result)],
    ...slowdownsTable(result),
  ]);
}

/** Name of the file of flows. */
export const FLOWS_FILE = 'flows.csv';

/** True where the flows are rows of a file beside the result. */
export const hasRows = ({ flowTotals }: Result): boolean => typeof flowTotals?.rows === 'string';

function* lines({ columns, rows }: ResultTable): Iterable<string> {
  yield line(columns);
  for (const row of rows) yield line(row);
}

const line = (cells: readonly Cell[]): string => `${cells.map((cell) => cell ?? '').join(',')}\n`;

const queueTable = ({ queueTimeline }: Result): ResultTable => ({
  columns: ['series.*.timeUs.*', 'queueTimeline.bytes.*'].map(csvColumn),
  rows: queueRows(queueTimeline),
});

function* queueRows({
  startUs,
  intervalUs,
  bytes,
}: Result['queueTimeline']): Iterable<readonly Cell[]> {
  for (const [i, value] of bytes.entries()) yield [round(startUs + i * intervalUs), value];
}

const FLOW_COLUMNS = [
  csvColumn('flows.*.id'),
  'source',
  'destination',
  csvColumn('flows.*.bytes'),
  csvColumn('flows.*.startUs'),
  csvColumn('flows.*.fctUs'),
  csvColumn('flows.*.slowdown'),
];

/** First line of the file of flows. */
export const flowHeading = (): string => line(FLOW_COLUMNS);

const flowCells = (flow: FlowRecord): readonly Cell[] => [
  flow.id,
  flow.source,
  flow.destination,
  flow.bytes,
  flow.startUs,
  flow.fctUs,
  flow.slowdown,
];

/** A flow's line there. */
export const flowLine = (flow: FlowRecord): string => line(flowCells(flow));

const flowsTable = ({ flows }: Result): ResultTable => ({
  columns: FLOW_COLUMNS,
  rows: flows.map(flowCells),
});

const ratesTable = ({ series }: Result): ResultTable => ({
  columns: RATE_COLUMNS,
  rows: rateRows(series),
});

const RATE_COLUMNS = [
  csvColumn('series.*.flow'),
  csvColumn('series.*.timeUs.*'),
  csvColumn('series.*.rateGbps.*'),
  csvColumn('series.*.windowBytes.*'),
  csvColumn('series.*.normalizedInflight.*'),
  csvColumn('series.*.deliveredBytes.*'),
];

function* rateRows(series: Result['series']): Iterable<readonly Cell[]> {
  for (const one of series) {
    for (const [i, time] of one.timeUs.entries()) {
      yield [
        one.flow,
        time,
        one.rateGbps[i] ?? null,
        one.windowBytes[i] ?? null,
        one.normalizedInflight[i] ?? null,
        one.deliveredBytes[i] ?? null,
      ];
    }
  }
}

function slowdownsTable({ slowdowns }: Result): [string, ResultTable][] {
  if (slowdowns === undefined) return [];
  const keys = ['fromBytes', 'toBytes', 'flows', 'p50', 'p95', 'p99', 'p999'];
  const columns = keys.map((key) => csvColumn(`slowdowns.*.${key}`));
  const rows = slowdowns.map((bin) => [
    bin.fromBytes,
    bin.toBytes,
    bin.flows,
    bin.p50,
    bin.p95,
    bin.p99,
    bin.p999,
  ]);
  return [['slowdowns', { columns, rows }]];
}

/** Removes the noise of summed decimal fractions: results have ps resolution. */
function round(us: number): number {
  return Math.round(us * 1e6) / 1e6;
}
