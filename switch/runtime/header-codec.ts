import { readBits, writeBits } from './bit-fields';

/** Slot and width of a field to be packed. */
interface PackedField {
  readonly slot: number;
  readonly width: number;
  readonly signed: boolean;
  readonly bitOffset: number;
  /** Its width is that of the varbit field in the packet. */
  readonly variable?: boolean;
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

/** A header with a varbit field: where it is, and how many bits the field has. */
interface VarbitHeader {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly extra: number;
}

/** As {@link readHeader}, for a header with a varbit field. */
export function readVarbitHeader(
  fields: readonly PackedField[],
  { bytes, offset, extra }: VarbitHeader,
  values: bigint[],
): void {
  let shift = 0;
  for (const field of fields) {
    const width = field.variable === true ? extra : field.width;
    const raw = readBits(bytes, offset * 8 + field.bitOffset + shift, width);
    values[field.slot] = field.signed ? BigInt.asIntN(width, raw) : raw;
    if (field.variable === true) shift = extra;
  }
}

/** As {@link writeHeader}, for a header with a varbit field. */
export function writeVarbitHeader(
  fields: readonly PackedField[],
  { bytes, offset, extra }: VarbitHeader,
  values: readonly bigint[],
): void {
  let shift = 0;
  for (const field of fields) {
    const width = field.variable === true ? extra : field.width;
    const bitOffset = offset * 8 + field.bitOffset + shift;
    if (width > 0) writeBits(bytes, { bitOffset, width }, values[field.slot] ?? 0n);
    if (field.variable === true) shift = extra;
  }
}
