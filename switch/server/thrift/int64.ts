import Int64 from 'node-int64';

/** Thrift's signed 64-bit integer with the low bits of `value`. */
export function int64(value: bigint | number): Int64 {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt.asIntN(64, BigInt(value)));
  return new Int64(buffer);
}

/** The exact value; numbers that fit may also come as numbers. A member that is left out is 0, as on bmv2. */
export function fromInt64(value: Int64 | number | null): bigint {
  if (value === null) return 0n;
  return typeof value === 'number' ? BigInt(value) : value.toBuffer().readBigInt64BE();
}
