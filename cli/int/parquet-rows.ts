import { InputError } from '../../common/errors';
import type { ReportRow } from '../../common/telemetry/collect/report-rows';

type Library = typeof import('hyparquet-writer', { with: { 'resolution-mode': 'import' } });
type Writer = InstanceType<Library['ParquetWriter']>;

/** A row, and when its datagram came, in ms since 1970; null where a capture does not say. */
type TimedRow = ReportRow & { readonly time: number | null };

/** Rows that are in memory until they are written together. */
export const GROUP_ROWS = 65_536;

/** Whole numbers beyond 32 bits, with sign, are bigints in the library. */
const long = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const COLUMNS = [
  ['time', 'TIMESTAMP', ({ time }: TimedRow) => date(time)],
  ['reporter', 'INT64', ({ reporter }: TimedRow) => long(reporter)],
  ['hardware', 'INT32', ({ hardware }: TimedRow) => hardware],
  ['sequence', 'INT64', ({ sequence }: TimedRow) => long(sequence)],
  ['flow', 'STRING', ({ flow }: TimedRow) => flow],
  ['hop', 'INT32', ({ hop }: TimedRow) => hop],
  ['node', 'INT64', ({ node }: TimedRow) => long(node)],
  ['ingressPort', 'INT32', ({ ingressPort }: TimedRow) => ingressPort],
  ['egressPort', 'INT32', ({ egressPort }: TimedRow) => egressPort],
  ['latencyNs', 'INT64', ({ latencyNs }: TimedRow) => long(latencyNs)],
  ['queueBytes', 'INT64', ({ queueBytes }: TimedRow) => long(queueBytes)],
  ['dropped', 'BOOLEAN', ({ dropped }: TimedRow) => dropped],
  ['congested', 'BOOLEAN', ({ congested }: TimedRow) => congested],
  ['tracked', 'BOOLEAN', ({ tracked }: TimedRow) => tracked],
  ['dropReason', 'INT32', ({ dropReason }: TimedRow) => dropReason],
] as const;

/**
 * Rows of reports in an Apache Parquet file. A group of rows is written as soon as it is full, so that memory does
 * not grow with the file; the file can be read once it has been finished.
 */
export class ParquetRows {
  readonly #columns: unknown[][] = COLUMNS.map(() => []);
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
    const schema = schemaFromColumnData({
      columnData: COLUMNS.map(([name, type]) => ({ name, type, data: [], nullable: true })),
    });
    return writing(file, () => {
      return new ParquetRows(file, new ParquetWriter({ writer: fileWriter(file), schema }));
    });
  }

  /** @throws InputError when a full group cannot be written. */
  add(row: TimedRow): void {
    COLUMNS.forEach(([, , of], i) => this.#columns[i]?.push(of(row)));
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
    const columnData = COLUMNS.map(([name], i) => ({ name, data: this.#columns[i] ?? [] }));
    writing(this.#file, () => {
      void this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    });
    for (const column of this.#columns) column.length = 0;
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
