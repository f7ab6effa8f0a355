const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

const FIRST_BYTES = 4096;
/** A larger buffer is not kept for the next message. */
const KEPT_BYTES_MAX = 1024 * 1024;
/** Bytes that a length may take beyond the one that is left free for it. */
const LENGTH_BYTES_MORE = 4;
/** Bytes up to which copying one by one beats the engine's own way. */
const FEW_BYTES = 24;

/** The buffer of the last message, which has been copied from it. */
let spare: Uint8Array | undefined;

/**
 * Writes the fields of a message for the generated classes.
 * PERF: all messages are written into one buffer, and messages inside directly behind their fields.
 */
export class WireWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor() {
    this.#bytes = spare ?? new Uint8Array(FIRST_BYTES);
    spare = undefined;
  }

  /** What has been written. Nothing can be written any more. */
  getResultBuffer(): Uint8Array {
    const result = this.#bytes.slice(0, this.#length);
    if (this.#bytes.length <= KEPT_BYTES_MAX) spare = this.#bytes;
    return result;
  }

  /** Begins a message inside. @returns what {@link end} wants. */
  begin(field: number): number {
    this.#tag(field, LENGTH_DELIMITED);
    this.#reserve(1);
    return ++this.#length;
  }

  /** Ends the message inside that began at `start`. */
  end(start: number): void {
    const size = this.#length - start;
    if (size < 128) {
      this.#bytes[start - 1] = size;
      return;
    }
    this.#reserve(LENGTH_BYTES_MORE);
    const more = size < 2 ** 14 ? 1 : size < 2 ** 21 ? 2 : size < 2 ** 28 ? 3 : 4;
    this.#bytes.copyWithin(start + more, start, this.#length);
    this.#length = start - 1;
    this.#varint(size);
    this.#length += size;
  }

  writeUint32(field: number, value: number): void {
    this.#tag(field, VARINT);
    this.#varint(value >>> 0);
  }

  writeInt32(field: number, value: number): void {
    this.#tag(field, VARINT);
    this.#signed(value);
  }

  writeEnum(field: number, value: number): void {
    this.writeInt32(field, value);
  }

  writeBool(field: number, value: boolean): void {
    this.#tag(field, VARINT);
    this.#varint(value ? 1 : 0);
  }

  writeUint64String(field: number, value: string): void {
    this.#tag(field, VARINT);
    this.#varint64(BigInt(value));
  }

  writeInt64String(field: number, value: string): void {
    this.writeUint64String(field, value);
  }

  writeFloat(field: number, value: number): void {
    this.#tag(field, FIXED32);
    this.#fixed(4).setFloat32(0, value, true);
  }

  writeDouble(field: number, value: number): void {
    this.#tag(field, FIXED64);
    this.#fixed(8).setFloat64(0, value, true);
  }

  writeBytes(field: number, value: Uint8Array): void {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(value.length);
    this.#reserve(value.length);
    const start = this.#length;
    this.#length += value.length;
    if (value.length > FEW_BYTES) {
      this.#bytes.set(value, start);
      return;
    }
    for (let i = 0; i < value.length; i++) this.#bytes[start + i] = value[i] as number;
  }

  writeRepeatedBytes(field: number, values: readonly Uint8Array[]): void {
    for (const value of values) this.writeBytes(field, value);
  }

  writeString(field: number, value: string): void {
    this.writeBytes(field, Buffer.from(value, 'utf8'));
  }

  writeRepeatedString(field: number, values: readonly string[]): void {
    for (const value of values) this.writeString(field, value);
  }

  writePackedUint32(field: number, values: readonly number[]): void {
    const start = this.begin(field);
    for (const value of values) this.#varint(value >>> 0);
    this.end(start);
  }

  writePackedEnum(field: number, values: readonly number[]): void {
    const start = this.begin(field);
    for (const value of values) this.#signed(value);
    this.end(start);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  /** Negative numbers take ten bytes, as numbers of 64 bits. */
  #signed(value: number): void {
    if (value >= 0) this.#varint(value);
    else this.#varint64(BigInt(value));
  }

  #varint(value: number): void {
    this.#reserve(5);
    const bytes = this.#bytes;
    let rest = value;
    while (rest >= 128) {
      bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[this.#length++] = rest;
  }

  #varint64(value: bigint): void {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, value);
    while (rest >= 128n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #fixed(length: number): DataView {
    this.#reserve(length);
    const start = this.#length;
    this.#length += length;
    return new DataView(this.#bytes.buffer, start, length);
  }

  #reserve(count: number): void {
    const wanted = this.#length + count;
    if (wanted <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(wanted, 2 * this.#bytes.length));
    wider.set(this.#bytes);
    this.#bytes = wider;
  }
}
