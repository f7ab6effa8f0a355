import { addBits, readUint32, readWord64, writeWord64 } from './bytes';
import type { Word64 } from './bytes';

/** One field of a {@link Layout}, from which codecs, `hpcc decode`, the dissector and the docs take it. */
export interface LayoutField {
  /** In camelCase, as in lines of `hpcc decode`; the dissector has it in snake_case. */
  readonly name: string;
  readonly bits: number;
  /**
   * `number`: unsigned integer. `flag`: one bit. `hex`: bits without an order, shown in hexadecimal.
   * `q16`: fixed point with 16 bits behind the point. `reserved`: zero when sent, ignored when received.
   */
  readonly as: 'number' | 'flag' | 'hex' | 'q16' | 'reserved';
  /** Meaning, unit and special values. */
  readonly text: string;
}

/** Value of a field as {@link Layout.read} gives it. */
export type LayoutValue = number | boolean | string;

interface PlacedField extends LayoutField {
  /** First bit, counted from the start of the layout. */
  readonly bit: number;
}

/**
 * Fields of a header of fixed length, in the order of the wire, big-endian. The one description of the
 * header: codecs take offsets from it, `hpcc decode` reads by it, the Wireshark dissector and the tables of
 * docs/wire-formats.md are printed from it.
 */
export class Layout {
  /** Bytes of the header. */
  readonly size: number;
  readonly fields: readonly PlacedField[];

  /** @param name in snake_case: the dissector's fields are `hpcc.<name>.<field>`. */
  constructor(
    readonly name: string,
    readonly title: string,
    fields: readonly LayoutField[],
  ) {
    let bit = 0;
    this.fields = fields.map((field) => {
      const placed = { ...field, bit };
      bit += field.bits;
      return placed;
    });
    this.size = bit / 8;
  }

  /** Byte at which the field begins or, if it is smaller than a byte, lies. */
  at(name: string): number {
    const field = this.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`${this.name} has no field ${name}`);
    return Math.floor(field.bit / 8);
  }

  /** Length of a field. */
  bits(name: string): number {
    const field = this.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`${this.name} has no field ${name}`);
    return field.bits;
  }

  /** Values of all fields but reserved ones, by name. The caller has checked that the bytes exist. */
  read(bytes: Uint8Array, offset: number): Record<string, LayoutValue> {
    const values: Record<string, LayoutValue> = {};
    for (const field of this.fields) {
      if (field.as !== 'reserved') values[field.name] = readField(field, bytes, offset);
    }
    return values;
  }

  /** As {@link read}, without rounding: fields of more than 53 bits as two words, and fixed point as it lies there. */
  readRaw(bytes: Uint8Array, offset: number): Record<string, LayoutValue | Word64> {
    const values: Record<string, LayoutValue | Word64> = {};
    for (const field of this.fields) {
      if (field.as === 'reserved') continue;
      values[field.name] =
        field.as === 'q16' || field.as === 'number'
          ? readWhole(field, bytes, offset)
          : readField(field, bytes, offset);
    }
    return values;
  }

  /** Writes the values of {@link readRaw}, and zeros to reserved fields. */
  write(
    values: Readonly<Record<string, LayoutValue | Word64>>,
    bytes: Uint8Array,
    offset: number,
  ): void {
    bytes.fill(0, offset, offset + this.size);
    for (const { name, as, bit, bits } of this.fields) {
      if (as === 'reserved') continue;
      const value = values[name];
      const at = offset + Math.floor(bit / 8);
      if (typeof value === 'object') writeWhole(value, bytes, { at, bits });
      else if (typeof value === 'string') writeHex(value, bytes, at);
      else addBits(bytes, 8 * offset + bit, bits, Number(value));
    }
  }
}

/** Bits of fields that a number cannot hold. */
const NUMBER_BITS = 53;

const readWhole = (
  { bit, bits }: PlacedField,
  bytes: Uint8Array,
  offset: number,
): number | Word64 =>
  bits > NUMBER_BITS
    ? readWide(bytes, offset + bit / 8, bits)
    : readBits(bytes, 8 * offset + bit, bits);

function readWide(bytes: Uint8Array, at: number, bits: number): Word64 {
  if (bits === 64) return readWord64(bytes, at);
  return { high: readBits(bytes, 8 * at, bits - 32), low: readUint32(bytes, at + bits / 8 - 4) };
}

function writeWhole(
  value: Word64,
  bytes: Uint8Array,
  { at, bits }: { readonly at: number; readonly bits: number },
): void {
  if (bits === 64) {
    writeWord64(bytes, at, value);
    return;
  }
  addBits(bytes, 8 * at, bits - 32, value.high);
  addBits(bytes, 8 * at + bits - 32, 32, value.low);
}

function writeHex(text: string, bytes: Uint8Array, at: number): void {
  const digits = text.replace(/^0x/, '');
  for (let i = 0; 2 * i < digits.length; i++) {
    bytes[at + i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  }
}

function readField({ as, bit, bits }: PlacedField, bytes: Uint8Array, offset: number): LayoutValue {
  const at = offset + Math.floor(bit / 8);
  if (as === 'hex') return hexText(bytes.subarray(at, at + bits / 8));
  const number = bits === 64 ? readWords(bytes, at) : readBits(bytes, 8 * offset + bit, bits);
  if (as === 'flag') return number === 1;
  return as === 'q16' ? number / 0x1_0000 : number;
}

/** Exact below 2^53. */
const readWords = (bytes: Uint8Array, at: number): number =>
  readUint32(bytes, at) * 0x1_0000_0000 + readUint32(bytes, at + 4);

/** Up to 48 bits, anywhere. */
export function readBits(bytes: Uint8Array, bit: number, bits: number): number {
  const last = Math.floor((bit + bits - 1) / 8);
  let value = 0;
  for (let at = Math.floor(bit / 8); at <= last; at++) value = value * 256 + (bytes[at] as number);
  return Math.floor(value / 2 ** (8 * last + 8 - bit - bits)) % 2 ** bits;
}

/** `0x` and two digits a byte. */
export const hexText = (bytes: Uint8Array): string =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
