import { assert } from '../assert';
import { highHalf, lowHalf } from './long';

/** Bytes that a writer begins with, and most that wait for the next one. */
const FIRST_BYTES = 1024;
const SPARE_BYTES_MAX = 256 * 1024;
/** Most bytes of a tag or of a number. */
const VARINT_BYTES_MAX = 10;
const TWO_TO_32 = 2 ** 32;

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

const UTF8 = new TextEncoder();
/** Room of a writer that has ended. */
let spare: Uint8Array | undefined;

/**
 * Writes a message of protobuf (https://protobuf.dev/programming-guides/encoding) field by field.
 * PERF: messages inside are written where they stand, and messages after one another in the same memory.
 */
export class MessageWriter {
  #bytes: Uint8Array;
  #at = 0;

  constructor() {
    this.#bytes = spare ?? new Uint8Array(FIRST_BYTES);
    spare = undefined;
  }

  /** The message, in memory of its own. Nothing may be written after it. */
  getResultBuffer(): Uint8Array {
    const result = this.#bytes.slice(0, this.#at);
    if (this.#bytes.length <= SPARE_BYTES_MAX) spare = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#at = 0;
    return result;
  }

  /** Bytes that were written until now. */
  get length(): number {
    return this.#at;
  }

  /** Takes back what was written behind so many bytes, where no message has begun and not ended. */
  cut(length: number): void {
    this.#at = length;
  }

  /** Appends fields that were written elsewhere. */
  append(fields: Uint8Array): void {
    this.#room(fields.length);
    this.#bytes.set(fields, this.#at);
    this.#at += fields.length;
  }

  /** Begins a message inside. @returns its start, for {@link MessageWriter.end}. */
  begin(field: number): number {
    this.#tag(field, LENGTH_DELIMITED);
    // Most messages need one byte for their length; the others are moved.
    this.#at += 1;
    return this.#at;
  }

  end(start: number): void {
    const length = this.#at - start;
    if (length < 128) {
      this.#bytes[start - 1] = length;
      return;
    }
    let more = 0;
    for (let rest = length / 128; rest >= 1; rest /= 128) more += 1;
    this.#room(more);
    this.#bytes.copyWithin(start + more, start, this.#at);
    this.#at = start - 1;
    this.#varint(length);
    this.#at += length;
  }

  writeUint32(field: number, value: number): void {
    if (value >>> 0 !== value) refuse(field, 'an unsigned number of 32 bits');
    this.#tag(field, VARINT);
    this.#varint(value);
  }

  writeInt32(field: number, value: number): void {
    if ((value | 0) !== value) refuse(field, 'a number of 32 bits');
    this.#tag(field, VARINT);
    if (value >= 0) this.#varint(value);
    else this.#varint64(value >>> 0, 0xffff_ffff);
  }

  writeEnum(field: number, value: number): void {
    this.writeInt32(field, value);
  }

  writeBool(field: number, value: boolean): void {
    this.#tag(field, VARINT);
    this.#varint(value ? 1 : 0);
  }

  /** @param value decimal digits. */
  writeUint64String(field: number, value: string): void {
    this.writeUint64(field, numberOf(value));
  }

  /** @param value decimal digits, with a sign where it is negative. */
  writeInt64String(field: number, value: string): void {
    this.writeInt64(field, numberOf(value));
  }

  writeUint64(field: number, value: number | bigint): void {
    this.#tag(field, VARINT);
    if (typeof value === 'number' && value >= 0 && value < TWO_TO_32) this.#varint(value);
    else this.#wide(field, BigInt(value), BigInt.asUintN(64, BigInt(value)));
  }

  writeInt64(field: number, value: number | bigint): void {
    this.#tag(field, VARINT);
    if (typeof value === 'number' && value >= 0 && value < TWO_TO_32) this.#varint(value);
    else this.#wide(field, BigInt(value), BigInt.asIntN(64, BigInt(value)));
  }

  writeFixed64(field: number, value: number): void {
    this.#tag(field, FIXED64);
    this.#fixed(8).setBigUint64(0, BigInt(value), true);
  }

  writeFloat(field: number, value: number): void {
    this.#tag(field, FIXED32);
    this.#fixed(4).setFloat32(0, value, true);
  }

  writeDouble(field: number, value: number): void {
    this.#tag(field, FIXED64);
    this.#fixed(8).setFloat64(0, value, true);
  }

  writeString(field: number, value: string): void {
    if (value.length > SPARE_BYTES_MAX) {
      this.writeBytes(field, UTF8.encode(value));
      return;
    }
    const start = this.begin(field);
    this.#room(3 * value.length);
    this.#at += UTF8.encodeInto(value, this.#bytes.subarray(this.#at)).written;
    this.end(start);
  }

  writeBytes(field: number, value: Uint8Array): void {
    const { length } = value;
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(length);
    this.#room(length);
    if (length > 32) this.#bytes.set(value, this.#at);
    else for (let i = 0; i < length; i++) this.#bytes[this.#at + i] = value[i] as number;
    this.#at += length;
  }

  /** Writes an unsigned number of up to 64 bits as bytes, the highest one first: as few as hold it, and at least one. */
  writeBigEndian(field: number, value: bigint): void {
    const high = highHalf(value);
    const low = lowHalf();
    let length = 1;
    if (high > 0) length = 8 - (Math.clz32(high) >> 3);
    else if (low > 0) length = 4 - (Math.clz32(low) >> 3);
    this.#tag(field, LENGTH_DELIMITED);
    this.#bytes[this.#at++] = length;
    for (let i = length - 1; i >= 0; i--) {
      this.#bytes[this.#at++] = i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4));
    }
  }

  writeRepeatedString(field: number, values: readonly string[]): void {
    for (const value of values) this.writeString(field, value);
  }

  writeRepeatedBytes(field: number, values: readonly Uint8Array[]): void {
    for (const value of values) this.writeBytes(field, value);
  }

  /** Writes nothing for no values. */
  writePackedUint32(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const start = this.begin(field);
    for (const value of values) {
      if (value >>> 0 !== value) refuse(field, 'unsigned numbers of 32 bits');
      this.#room(VARINT_BYTES_MAX);
      this.#varint(value);
    }
    this.end(start);
  }

  /** As {@link MessageWriter.writePackedUint32}, for whole numbers up to 2^53. */
  writePackedUint64(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const start = this.begin(field);
    for (const value of values) {
      if (!Number.isSafeInteger(value) || value < 0) refuse(field, 'unsigned whole numbers');
      this.#room(VARINT_BYTES_MAX);
      this.#varint64(value >>> 0, Math.floor(value / TWO_TO_32));
    }
    this.end(start);
  }

  /** As {@link MessageWriter.writePackedUint32}, for members that are not negative. */
  writePackedEnum(field: number, values: readonly number[]): void {
    this.writePackedUint32(field, values);
  }

  #tag(field: number, wireType: number): void {
    this.#room(2 * VARINT_BYTES_MAX);
    this.#varint(field * 8 + wireType);
  }

  /** Sees to room for so many bytes more. */
  #room(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * needed);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }

  /** Writes a number of up to 32 bits, for which there is room. */
  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  #wide(field: number, value: bigint, kept: bigint): void {
    if (kept !== value) refuse(field, 'a number of 64 bits');
    const bits = BigInt.asUintN(64, value);
    this.#varint64(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
  }

  #varint64(low: number, high: number): void {
    let [lower, upper] = [low, high];
    while (upper > 0 || lower >= 128) {
      this.#bytes[this.#at++] = (lower & 127) | 128;
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    this.#bytes[this.#at++] = lower;
  }

  #fixed(length: number): DataView {
    this.#room(length);
    const start = this.#at;
    this.#at += length;
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }
}

// PERF: the sentence is made where it is needed.
function refuse(field: number, wanted: string): never {
  assert(false, `field ${field} of a message wants ${wanted}`);
}

/** PERF: most numbers are small. */
const numberOf = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
};
