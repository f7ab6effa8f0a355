/** A column of a table. */
interface Column {
  readonly name: string;
  readonly values: readonly (string | number | null)[];
}

/** Columns as an Apache Parquet file; numbers are doubles, and what is missing is null. */
export async function parquetBytes(columns: readonly Column[]): Promise<Uint8Array> {
  // The library is an ES module, which older versions of Node load in this way only.
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = columns.map(({ name, values }) => ({
    name,
    data: [...values],
    type: values.some((value) => typeof value === 'string')
      ? ('STRING' as const)
      : ('DOUBLE' as const),
    nullable: true,
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
