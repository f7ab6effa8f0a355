import { csvColumn } from '../figures/dictionary';
import type { FlowRecord, Result } from './result';

/**
 * Series of a result as comma-separated values, by file name; the first row names the columns.
 * Lines are made when they are read: together they can take more memory than the run itself.
 */
export function csvFiles(result: Result): ReadonlyMap<string, Iterable<string>> {
  return new Map([
    ['queue.csv', queueCsv(result)],
    // Those of a large run were written while it went on.
    ...(hasRows(result) ? [] : [[FLOWS_FILE, flowsCsv(result)] as const]),
    ['rates.csv', ratesCsv(result)],
    ...slowdownsFile(result),
  ]);
}

/** Name of the file of flows. */
export const FLOWS_FILE = 'flows.csv';

const hasRows = ({ flowTotals }: Result): boolean => typeof flowTotals?.rows === 'string';

type Cell = string | number | null;

function* table(columns: readonly string[], rows: Iterable<readonly Cell[]>): Iterable<string> {
  yield line(columns);
  for (const row of rows) yield line(row);
}

const line = (cells: readonly Cell[]): string => `${cells.map((cell) => cell ?? '').join(',')}\n`;

const queueCsv = ({ queueTimeline }: Result): Iterable<string> =>
  table(['series.*.timeUs.*', 'queueTimeline.bytes.*'].map(csvColumn), queueRows(queueTimeline));

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

/** A flow's line there. */
export const flowLine = (flow: FlowRecord): string =>
  line([
    flow.id,
    flow.source,
    flow.destination,
    flow.bytes,
    flow.startUs,
    flow.fctUs,
    flow.slowdown,
  ]);

function* flowsCsv({ flows }: Result): Iterable<string> {
  yield flowHeading();
  for (const flow of flows) yield flowLine(flow);
}

const ratesCsv = ({ series }: Result): Iterable<string> => table(RATE_COLUMNS, rateRows(series));

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

function slowdownsFile({ slowdowns }: Result): [string, Iterable<string>][] {
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
  return [['slowdowns.csv', table(columns, rows)]];
}

/** Removes the noise of summed decimal fractions: results have ps resolution. */
function round(us: number): number {
  return Math.round(us * 1e6) / 1e6;
}
