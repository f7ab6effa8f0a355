import type { Word64 } from './bytes';
import { addBits, readWord64, writeWord64 } from './bytes';
import type { WireFault } from './fault';
import { truncated } from './fault';
import { readBits } from './layout';

/**
 * Reader and writer of a header. A read header can be written: `Written` is what writing needs, and
 * some headers have more fields once they are read.
 */
export interface WireFormat<Written extends object, Read extends Written = Written> {
  /** The header at `offset` (default: 0), of which nothing lies at or behind `end` (the bytes'). */
  parse(bytes: Uint8Array, offset?: number, end?: number): Read | WireFault;
  /** Writes all bytes of the header, at `offset` (default: 0), where there must be room for it. */
  emit(header: Written, bytes: Uint8Array, offset?: number): void;
  /** Bytes that the header occupies. */
  length(header: Written): number;
}

/**
 * The fields of a header in their order. A width is a number of bits, `flag` for one bit that is a
 * boolean, or `word64`. Fields whose names are `r` and a number are reserved: they are written as
 * zeros and passed over.
 */
export type FieldWidths<Header> = {
  readonly [Name in keyof Header]-?: Header[Name] extends boolean
    ? 'flag'
    : Header[Name] extends Word64
      ? 'word64'
      : number;
} & Readonly<Record<`r${number}`, number>>;

/** A field of a {@link FixedFormat}. */
export interface FormatField {
  readonly name: string;
  readonly kind: 'number' | 'flag' | 'word64' | 'reserved';
  /** First bit from the start of the header. */
  readonly bit: number;
  readonly bits: number;
}

/**
 * A header of one length that has nothing to check. For formats that no hot path reads: it walks
 * over a table. Fields of more than 46 bits must begin at bytes.
 */
export class FixedFormat<Header extends object> implements WireFormat<Header> {
  /** Bytes of the header. */
  readonly size: number;
  readonly fields: readonly FormatField[];

  constructor(
    readonly name: string,
    widths: FieldWidths<Header>,
  ) {
    let bit = 0;
    this.fields = Object.entries<number | 'flag' | 'word64'>(widths).map(([field, width]) => {
      const bits = width === 'flag' ? 1 : width === 'word64' ? 64 : width;
      const reserved = /^r\d+$/.test(field);
      const kind = reserved ? 'reserved' : typeof width === 'number' ? 'number' : width;
      const place = { name: field, kind, bit, bits } as const;
      bit += bits;
      return place;
    });
    this.size = bit / 8;
  }

  parse(bytes: Uint8Array, offset = 0, end = bytes.length): Header | WireFault {
    if (end < offset + this.size) return truncated(this.name, offset, this.size, end);
    return this.read(bytes, offset);
  }

  /** Reads a header whose bytes exist. */
  read(bytes: Uint8Array, offset: number): Header {
    const header: Record<string, number | boolean | Word64> = {};
    for (const { name, kind, bit, bits } of this.fields) {
      if (kind === 'reserved') continue;
      const at = 8 * offset + bit;
      if (kind === 'word64') header[name] = readWord64(bytes, at / 8);
      else
        header[name] = kind === 'flag' ? readBits(bytes, at, 1) === 1 : readBits(bytes, at, bits);
    }
    return header as Header;
  }

  emit(header: Header, bytes: Uint8Array, offset = 0): void {
    bytes.fill(0, offset, offset + this.size);
    const values = header as Readonly<Record<string, number | boolean | Word64>>;
    for (const { name, kind, bit, bits } of this.fields) {
      if (kind === 'reserved') continue;
      const at = 8 * offset + bit;
      if (kind === 'word64') writeWord64(bytes, at / 8, values[name] as Word64);
      else addBits(bytes, at, bits, Number(values[name]));
    }
  }

  length(): number {
    return this.size;
  }
}
