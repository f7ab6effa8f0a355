import { readBits, writeBits } from './bit-fields';

/** What packing needs to know of a field. */
export interface PackedField {
  readonly slot: number;
  readonly width: number;
  readonly signed: boolean;
  readonly bitOffset: number;
}

/**
 * Reads the fields of a header that starts at byte `offset` into their slots. The caller has
 * checked that the header lies within `bytes`.
 */
export function readHeader(
  fields: readonly PackedField[],
  bytes: Uint8Array,
  offset: number,
  values: bigint[],
): void {
  const start = offset * 8;
  for (const field of fields) {
    const raw = readBits(bytes, start + field.bitOffset, field.width);
    values[field.slot] = field.signed ? BigInt.asIntN(field.width, raw) : raw;
  }
}

/** Writes the fields of a header from their slots to byte `offset` on, into bytes that are zero. */
export function writeHeader(
  fields: readonly PackedField[],
  bytes: Uint8Array,
  offset: number,
  values: readonly bigint[],
): void {
  const start = offset * 8;
  for (const field of fields) {
    const range = { bitOffset: start + field.bitOffset, width: field.width };
    writeBits(bytes, range, values[field.slot] ?? 0n);
  }
}
