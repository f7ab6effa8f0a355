import { UNTOLD } from './hop-columns';
import { NONE, REPORT_FLAGS } from './report-columns';
import type { ReportColumns } from './report-columns';
import type { CollectedReport } from './report-collector';
import { flowKey, flowNameAt } from './report-flows';
import type { Arrival, ReportOutput } from './report-intake';
import { reportRows } from './report-rows';
import type { ReportRow } from './report-rows';

/** Rows that are in memory until they are handed over together. */
export const GROUP_ROWS = 65_536;

/** Names of the columns, in their order. */
export const ROW_COLUMNS = [
  'time',
  'reporter',
  'hardware',
  'sequence',
  'hop',
  'node',
  'ingressPort',
  'egressPort',
  'latencyNs',
  'queueBytes',
  'dropped',
  'congested',
  'tracked',
  'dropReason',
  'flow',
] as const;

/** Name of a column. */
export type RowColumn = (typeof ROW_COLUMNS)[number];

/** Columns that a row of the decoder's names as they are. */
const OF_ROWS = ROW_COLUMNS.filter(
  (name): name is Exclude<RowColumn, 'time' | 'flow'> => name !== 'time' && name !== 'flow',
);

/** Before the names that decoders give, which no bytes of packets begin with. */
const NAMED = '\u0100';

/** A group of rows. */
export interface RowGroup {
  readonly count: number;
  /** NaN for what is not known, numbers for truths, ms for times, and for flows their place in the names. */
  readonly columns: Readonly<Record<RowColumn, Float64Array>>;
  readonly flows: readonly string[];
}

/**
 * Rows of reports, one for each hop, in columns as they come: from columns of reports, or from what the decoder says.
 * PERF: objects that wait for their group would cost half of the time to collect.
 */
export class RowColumns implements ReportOutput {
  readonly tellsAll = false;
  readonly #columns: Readonly<Record<RowColumn, Float64Array>>;
  readonly #flows = new Map<string, number>();
  readonly #flowNames: string[] = [];
  readonly #onGroup: (group: RowGroup) => void;
  #count = 0;

  /** @param onGroup takes a full group, whose arrays are written again when it returns. */
  constructor(onGroup: (group: RowGroup) => void) {
    this.#onGroup = onGroup;
    const columns = ROW_COLUMNS.map((name) => [name, new Float64Array(GROUP_ROWS)]);
    this.#columns = Object.fromEntries(columns) as Record<RowColumn, Float64Array>;
  }

  addDecoded(found: CollectedReport, { time }: Arrival): void {
    for (const row of reportRows(found)) this.#addRow(row, time);
  }

  #addRow(row: ReportRow, time: number | null): void {
    const at = this.#count;
    for (const name of OF_ROWS) {
      const value = row[name];
      this.#columns[name][at] = value === null ? NaN : Number(value);
    }
    this.#columns.time[at] = time === null ? NaN : Math.trunc(time);
    const { flow } = row;
    this.#columns.flow[at] = flow === null ? NaN : this.#flowNumber(NAMED + flow, () => flow);
    this.#next();
  }

  addColumns(bytes: Buffer, columns: ReportColumns, { time }: Arrival): void {
    for (let report = 0; report < columns.size; report++) {
      const from = columns.stackFrom[report] as number;
      const to = columns.stackTo[report] as number;
      const own = columns.own[report] as number;
      for (let hop = from; hop < to; hop++) {
        this.#addHop(bytes, columns, { report, hop, place: hop - from + 1 }, time);
      }
      if (own === NONE && to > from) continue;
      const place = to > from ? to - from + 1 : NaN;
      this.#addHop(bytes, columns, { report, hop: own, place }, time);
    }
  }

  /** Hands over what is left. */
  finish(): void {
    if (this.#count > 0) this.#endGroup();
  }

  #addHop(
    bytes: Buffer,
    columns: ReportColumns,
    {
      report,
      hop,
      place,
    }: { readonly report: number; readonly hop: number; readonly place: number },
    time: number | null,
  ): void {
    const at = this.#count;
    const row = this.#columns;
    const { hops } = columns;
    row.time[at] = time === null ? NaN : Math.trunc(time);
    row.reporter[at] = columns.nodeId;
    row.hardware[at] = columns.hardwareId;
    row.sequence[at] = columns.sequence;
    row.hop[at] = place;
    const isThere = hop !== NONE;
    row.node[at] = isThere ? told(hops.nodeId[hop] as number) : NaN;
    row.ingressPort[at] = isThere ? told(hops.ingress[hop] as number) : NaN;
    row.egressPort[at] = isThere ? told(hops.egress[hop] as number) : NaN;
    row.latencyNs[at] = isThere ? told(hops.latencyAt(hop)) : NaN;
    row.queueBytes[at] = isThere ? told(hops.queueBytes[hop] as number) : NaN;
    const flags = columns.flags[report] as number;
    row.dropped[at] = (flags & REPORT_FLAGS.dropped) !== 0 ? 1 : 0;
    row.congested[at] = (flags & REPORT_FLAGS.congested) !== 0 ? 1 : 0;
    row.tracked[at] = (flags & REPORT_FLAGS.tracked) !== 0 ? 1 : 0;
    row.dropReason[at] = told(columns.dropReason[report] as number);
    row.flow[at] = this.#flowOf(bytes, columns, report);
    this.#next();
  }

  #flowOf(bytes: Buffer, columns: ReportColumns, report: number): number {
    const ipAt = columns.ipAt[report] as number;
    if (ipAt === NONE) return NaN;
    const l4At = columns.l4At[report] as number;
    return this.#flowNumber(flowKey(bytes, ipAt, l4At), () => flowNameAt(bytes, ipAt, l4At));
  }

  #flowNumber(key: string, name: () => string): number {
    const known = this.#flows.get(key);
    if (known !== undefined) return known;
    const number = this.#flowNames.push(name()) - 1;
    this.#flows.set(key, number);
    return number;
  }

  #next(): void {
    this.#count += 1;
    if (this.#count === GROUP_ROWS) this.#endGroup();
  }

  #endGroup(): void {
    this.#onGroup({ count: this.#count, columns: this.#columns, flows: this.#flowNames });
    this.#flows.clear();
    this.#flowNames.length = 0;
    this.#count = 0;
  }
}

const told = (value: number): number => (value === UNTOLD ? NaN : value);
