import { InputError } from '../../errors';
import { ROW_COLUMNS, RowColumns } from '../collect/row-columns';
import type { RowColumn, RowGroup } from '../collect/row-columns';
import { ColumnEncoder, words32, words64 } from './parquet-column';
import type { ColumnType, EncodedColumn } from './parquet-column';

type Library = typeof import('hyparquet-writer', { with: { 'resolution-mode': 'import' } });
type Pages = typeof import('hyparquet-writer/src/datapage.js', {
  with: { 'resolution-mode': 'import' },
});
type Writer = InstanceType<Library['ParquetWriter']>;
type Chunk = Writer['row_groups'][number]['columns'][number];

const TYPES: Readonly<Record<RowColumn, ColumnType>> = {
  time: 'TIMESTAMP',
  reporter: 'INT64',
  hardware: 'INT32',
  sequence: 'INT64',
  hop: 'INT32',
  node: 'INT64',
  ingressPort: 'INT64',
  egressPort: 'INT64',
  latencyNs: 'INT64',
  queueBytes: 'INT64',
  dropped: 'BOOLEAN',
  congested: 'BOOLEAN',
  tracked: 'BOOLEAN',
  dropReason: 'INT32',
  flow: 'STRING',
};

/**
 * Rows of reports in an Apache Parquet file. A group of rows is written as soon as it is full, so that memory does
 * not grow with the file; the file can be read once it has been finished.
 */
export class ParquetRows {
  /** Where rows go. @throws InputError when a full group cannot be written. */
  readonly rows = new RowColumns((group) => this.#writeGroup(group));
  readonly #encoder = new ColumnEncoder();
  readonly #file: string;
  readonly #writer: Writer;
  readonly #writePageHeader: Pages['writePageHeader'];

  private constructor(file: string, writer: Writer, { writePageHeader }: Pages) {
    this.#file = file;
    this.#writer = writer;
    this.#writePageHeader = writePageHeader;
  }

  /** @throws InputError when the file cannot be made. */
  static async create(file: string): Promise<ParquetRows> {
    // The library is an ES module, which older versions of Node load in this way only.
    const { ParquetWriter, schemaFromColumnData, fileWriter } = await import('hyparquet-writer');
    const pages = await import('hyparquet-writer/src/datapage.js');
    const schema = schemaFromColumnData({
      columnData: ROW_COLUMNS.map((name) => ({
        name,
        type: TYPES[name],
        data: [],
        nullable: true,
      })),
    });
    return writing(file, () => {
      const writer = new ParquetWriter({ writer: fileWriter(file), schema });
      return new ParquetRows(file, writer, pages);
    });
  }

  /** Writes what is left, and what readers need. @throws InputError when it cannot be written. */
  finish(): void {
    this.rows.finish();
    writing(this.#file, () => void this.#writer.finish());
  }

  #writeGroup(group: RowGroup): void {
    writing(this.#file, () => {
      const { writer, row_groups: groups } = this.#writer;
      const start = writer.offset;
      const columns = ROW_COLUMNS.map((name) => this.#writeColumn(name, group));
      const rows = BigInt(group.count);
      const size = BigInt(writer.offset - start);
      groups.push({ columns, num_rows: rows, total_byte_size: size, total_compressed_size: size });
      this.#writer.num_rows += rows;
    });
  }

  #writeColumn(name: RowColumn, group: RowGroup): Chunk {
    const type = TYPES[name];
    const values = group.columns[name].subarray(0, group.count);
    const column = this.#encoder.encode(type, values);
    const { writer } = this.#writer;
    const start = writer.offset;
    const hasDictionary = column.encoding === 'RLE_DICTIONARY';
    if (hasDictionary) this.#writeDictionary(type, column, group.flows);
    const dataAt = writer.offset;
    this.#writeData(column, group.count);
    const size = BigInt(writer.offset - start);
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: PHYSICAL[type],
        encodings: hasDictionary ? ['PLAIN', column.encoding] : [column.encoding],
        path_in_schema: [name],
        codec: 'UNCOMPRESSED',
        num_values: BigInt(group.count),
        total_compressed_size: size,
        total_uncompressed_size: size,
        data_page_offset: BigInt(dataAt),
        ...(hasDictionary && { dictionary_page_offset: BigInt(start) }),
        statistics: statisticsOf(type, column),
      },
    };
  }

  #writeDictionary(
    type: ColumnType,
    { dictionary }: EncodedColumn,
    flows: readonly string[],
  ): void {
    const { writer } = this.#writer;
    const isText = type === 'STRING';
    const values = isText ? textBytes(flows) : plainBytes(type, dictionary);
    this.#writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: values.length,
      compressed_page_size: values.length,
      dictionary_page_header: {
        num_values: isText ? flows.length : dictionary.length,
        encoding: 'PLAIN',
      },
    });
    writer.appendBytes(values);
  }

  #writeData({ encoding, nulls, levels, values }: EncodedColumn, count: number): void {
    const { writer } = this.#writer;
    const size = levels.length + values.length;
    this.#writePageHeader(writer, {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: size,
      compressed_page_size: size,
      data_page_header_v2: {
        num_values: count,
        num_nulls: nulls,
        num_rows: count,
        encoding,
        definition_levels_byte_length: levels.length,
        repetition_levels_byte_length: 0,
        is_compressed: false,
      },
    });
    writer.appendBytes(levels);
    writer.appendBytes(values);
  }
}

const PHYSICAL = {
  TIMESTAMP: 'INT64',
  INT32: 'INT32',
  INT64: 'INT64',
  BOOLEAN: 'BOOLEAN',
  STRING: 'BYTE_ARRAY',
} as const;

function plainBytes(type: ColumnType, values: readonly number[]): Uint8Array {
  return type === 'INT32' ? words32(values) : words64(values);
}

/** Each text behind its length. */
function textBytes(texts: readonly string[]): Uint8Array {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text);
      return [words32([bytes.length]), bytes];
    }),
  );
}

function statisticsOf(
  type: ColumnType,
  { nulls, min, max }: EncodedColumn,
): NonNullable<NonNullable<Chunk['meta_data']>['statistics']> {
  const none = { null_count: BigInt(nulls) };
  if (min === undefined || max === undefined || type === 'STRING') return none;
  return { ...none, min_value: physical(type, min), max_value: physical(type, max) };
}

function physical(type: ColumnType, value: number): number | bigint | boolean {
  if (type === 'BOOLEAN') return value !== 0;
  return type === 'INT32' ? value : BigInt(value);
}

function writing<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
  }
}
