import type { Result } from './result';

/** Series of a result as comma-separated values, by file name; the first row names the columns. */
export function csvFiles(result: Result): ReadonlyMap<string, string> {
  return new Map([
    ['queue.csv', queueCsv(result)],
    ['flows.csv', flowsCsv(result)],
    ['rates.csv', ratesCsv(result)],
    ...slowdownsFile(result),
  ]);
}

type Cell = string | number | null;

function table(columns: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [columns.join(',')];
  for (const row of rows) lines.push(row.map((cell) => cell ?? '').join(','));
  return `${lines.join('\n')}\n`;
}

function queueCsv({ queueTimeline }: Result): string {
  const { startUs, intervalUs, bytes } = queueTimeline;
  const rows = bytes.map((value, i) => [round(startUs + i * intervalUs), value]);
  return table(['time_us', 'queue_bytes'], rows);
}

function flowsCsv({ flows }: Result): string {
  const columns = ['flow', 'source', 'destination', 'bytes', 'start_us', 'fct_us', 'slowdown'];
  const rows = flows.map((flow) => [
    flow.id,
    flow.source,
    flow.destination,
    flow.bytes,
    flow.startUs,
    flow.fctUs,
    flow.slowdown,
  ]);
  return table(columns, rows);
}

function ratesCsv({ series }: Result): string {
  const columns = ['flow', 'time_us', 'rate_gbps', 'window_bytes', 'u', 'delivered_bytes'];
  const rows = series.flatMap((one) =>
    one.timeUs.map((time, i) => [
      one.flow,
      time,
      one.rateGbps[i] ?? null,
      one.windowBytes[i] ?? null,
      one.normalizedInflight[i] ?? null,
      one.deliveredBytes[i] ?? null,
    ]),
  );
  return table(columns, rows);
}

function slowdownsFile({ slowdowns }: Result): [string, string][] {
  if (slowdowns === undefined) return [];
  const columns = ['from_bytes', 'to_bytes', 'flows', 'p50', 'p95', 'p99', 'p99.9'];
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
