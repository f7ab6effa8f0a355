import { InputError } from '../../common/errors';
import type { ReportRow } from '../../common/telemetry/collect/report-rows';

type Library = typeof import('hyparquet-writer', { with: { 'resolution-mode': 'import' } });
type Writer = InstanceType<Library['ParquetWriter']>;

/** Rows that are in memory until they are written together. */
export const GROUP_ROWS = 65_536;

/** A column of numbers: its type, and how the library wants what was a number. */
interface NumberColumn {
  readonly name: string;
  readonly type: 'TIMESTAMP' | 'INT32' | 'INT64' | 'BOOLEAN';
  /** The time is that of its datagram, in ms since 1970; null where a capture does not say. */
  readonly of: (row: ReportRow, time: number | null) => number | boolean | null;
}

const COLUMNS: readonly NumberColumn[] = [
  { name: 'time', type: 'TIMESTAMP', of: (_, time) => time },
  { name: 'reporter', type: 'INT64', of: ({ reporter }) => reporter },
  { name: 'hardware', type: 'INT32', of: ({ hardware }) => hardware },
  { name: 'sequence', type: 'INT64', of: ({ sequence }) => sequence },
  { name: 'hop', type: 'INT32', of: ({ hop }) => hop },
  { name: 'node', type: 'INT64', of: ({ node }) => node },
  { name: 'ingressPort', type: 'INT32', of: ({ ingressPort }) => ingressPort },
  { name: 'egressPort', type: 'INT32', of: ({ egressPort }) => egressPort },
  { name: 'latencyNs', type: 'INT64', of: ({ latencyNs }) => latencyNs },
  { name: 'queueBytes', type: 'INT64', of: ({ queueBytes }) => queueBytes },
  { name: 'dropped', type: 'BOOLEAN', of: ({ dropped }) => dropped },
  { name: 'congested', type: 'BOOLEAN', of: ({ congested }) => congested },
  { name: 'tracked', type: 'BOOLEAN', of: ({ tracked }) => tracked },
  { name: 'dropReason', type: 'INT32', of: ({ dropReason }) => dropReason },
];

/** Values as the library wants them: whole numbers of 64 bits are bigints. */
const VALUES: Readonly<Record<NumberColumn['type'], (value: number) => unknown>> = {
  TIMESTAMP: (ms) => new Date(ms),
  INT32: (value) => value,
  INT64: (value) => BigInt(value),
  BOOLEAN: (value) => value !== 0,
};

/**
 * Rows of reports in an Apache Parquet file. A group of rows is written as soon as it is full, so that memory does
 * not grow with the file; the file can be read once it has been finished.
 */
export class ParquetRows {
  /** NaN for what is not known. PERF: objects that wait for their group would cost half of the time to collect. */
  readonly #numbers = COLUMNS.map(() => new Float64Array(GROUP_ROWS));
  readonly #flows: (string | null)[] = [];
  readonly #file: string;
  readonly #writer: Writer;
  #count = 0;

  private constructor(file: string, writer: Writer) {
    this.#file = file;
    this.#writer = writer;
  }

  /** @throws InputError when the file cannot be made. */
  static async create(file: string): Promise<ParquetRows> {
    // The library is an ES module, which older versions of Node load in this way only.
    const { ParquetWriter, schemaFromColumnData, fileWriter } = await import('hyparquet-writer');
    const typed = [...COLUMNS, { name: 'flow', type: 'STRING' as const }];
    const schema = schemaFromColumnData({
      columnData: typed.map(({ name, type }) => ({ name, type, data: [], nullable: true })),
    });
    return writing(file, () => {
      return new ParquetRows(file, new ParquetWriter({ writer: fileWriter(file), schema }));
    });
  }

  /** @throws InputError when a full group cannot be written. */
  add(row: ReportRow, time: number | null): void {
    for (let i = 0; i < COLUMNS.length; i++) {
      const value = (COLUMNS[i] as NumberColumn).of(row, time);
      (this.#numbers[i] as Float64Array)[this.#count] = value === null ? NaN : Number(value);
    }
    this.#flows.push(row.flow);
    this.#count += 1;
    if (this.#count === GROUP_ROWS) this.#writeGroup();
  }

  /** Writes what is left, and what readers need. @throws InputError when it cannot be written. */
  finish(): void {
    this.#writeGroup();
    writing(this.#file, () => void this.#writer.finish());
  }

  #writeGroup(): void {
    if (this.#count === 0) return;
    const numbers = COLUMNS.map(({ name, type }, i) => {
      const known = (this.#numbers[i] as Float64Array).subarray(0, this.#count);
      const data = Array.from(known, (value) => (Number.isNaN(value) ? null : VALUES[type](value)));
      return { name, data };
    });
    const columnData = [...numbers, { name: 'flow', data: this.#flows }];
    writing(this.#file, () => {
      void this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    });
    this.#flows.length = 0;
    this.#count = 0;
  }
}

function writing<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
  }
}
