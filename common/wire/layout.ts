import { readUint32 } from './bytes';

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
