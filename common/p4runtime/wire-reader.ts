const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** Bytes up to which copying one by one beats the engine's own way. */
const FEW_BYTES = 24;

/** What a bytes field holds that nobody has set; nobody can write to it. */
export const NO_BYTES = new Uint8Array(0);

/**
 * Reads the fields of a serialized message for the generated classes. Every method throws an Error for
 * bytes that are no message; nothing that is read shares memory with the bytes.
 * PERF: the readers are few and small, so that the engine compiles them into the classes that use them.
 */
export class WireReader {
  #position = 0;
  #end: number;
  #field = 0;
  #wireType = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.#end = bytes.length;
  }

  /** Goes on to the next field of the message. @returns its number, or 0 behind the last one. */
  next(): number {
    if (this.#position >= this.#end) {
      if (this.#position > this.#end) throw new Error('a field goes on behind its message');
      return 0;
    }
    const tag = this.#low();
    this.#wireType = tag & 7;
    this.#field = tag >>> 3;
    if (this.#field === 0) throw new Error('a field has the number 0');
    return this.#field;
  }

  /** Goes into a message. @returns what {@link leave} wants. */
  enter(): number {
    this.#expect(LENGTH_DELIMITED);
    const outer = this.#end;
    this.#end = this.#delimited();
    return outer;
  }

  /** Goes on behind a message, all of whose fields have been read. */
  leave(outer: number): void {
    this.#end = outer;
  }

  skipField(): void {
    if (this.#wireType === LENGTH_DELIMITED) this.#position = this.#delimited();
    else if (this.#wireType === VARINT) this.#low();
    else if (this.#wireType === FIXED64) this.#position += 8;
    else if (this.#wireType === FIXED32) this.#position += 4;
    else throw new Error(`field ${this.#field} has the unknown wire type ${this.#wireType}`);
  }

  readUint32(): number {
    this.#expect(VARINT);
    return this.#low();
  }

  readInt32(): number {
    this.#expect(VARINT);
    return this.#low() | 0;
  }

  readEnum(): number {
    return this.readInt32();
  }

  readBool(): boolean {
    this.#expect(VARINT);
    return this.#varint64() !== 0n;
  }

  readUint64String(): string {
    this.#expect(VARINT);
    return this.#varint64().toString();
  }

  readInt64String(): string {
    this.#expect(VARINT);
    return BigInt.asIntN(64, this.#varint64()).toString();
  }

  readFloat(): number {
    this.#expect(FIXED32);
    return this.#fixed(4).getFloat32(0, true);
  }

  readDouble(): number {
    this.#expect(FIXED64);
    return this.#fixed(8).getFloat64(0, true);
  }

  readBytes(): Uint8Array {
    this.#expect(LENGTH_DELIMITED);
    const end = this.#delimited();
    const start = this.#position;
    this.#position = end;
    if (end - start > FEW_BYTES) return Uint8Array.prototype.slice.call(this.bytes, start, end);
    const read = new Uint8Array(end - start);
    for (let i = start; i < end; i++) read[i - start] = this.bytes[i] as number;
    return read;
  }

  readString(): string {
    this.#expect(LENGTH_DELIMITED);
    const end = this.#delimited();
    const { buffer, byteOffset } = this.bytes;
    const text = Buffer.from(buffer, byteOffset + this.#position, end - this.#position);
    this.#position = end;
    return text.toString('utf8');
  }

  /** Appends numbers of a repeated field, packed or one by one. */
  readPackableUint32Into(list: number[]): void {
    this.#readPackable(list, () => this.#low());
  }

  /** As {@link readPackableUint32Into}. */
  readPackableEnumInto(list: number[]): void {
    this.#readPackable(list, () => this.#low() | 0);
  }

  #readPackable(list: number[], read: () => number): void {
    if (this.#wireType === VARINT) {
      list.push(read());
      return;
    }
    const outer = this.enter();
    while (this.#position < this.#end) list.push(read());
    this.leave(outer);
  }

  #expect(wireType: number): void {
    if (this.#wireType === wireType) return;
    throw new Error(`field ${this.#field} has the wire type ${this.#wireType}, not ${wireType}`);
  }

  /** The lowest 32 bits of a number. */
  #low(): number {
    const { bytes } = this;
    let position = this.#position;
    let byte = bytes[position++];
    let value = (byte as number) & 127;
    for (let shift = 7; byte !== undefined && byte >= 128; shift += 7) {
      if (shift > 63) throw new Error('a number is too long');
      byte = bytes[position++];
      if (shift < 32) value |= ((byte as number) & 127) << shift;
    }
    if (byte === undefined || position > this.#end) throw new Error('the message ends in a number');
    this.#position = position;
    return value >>> 0;
  }

  #varint64(): bigint {
    const { bytes } = this;
    const start = this.#position;
    const low = this.#low();
    // What has few bytes has no more bits than were read.
    if (this.#position - start < 5) return BigInt(low);
    let value = 0n;
    for (let i = this.#position - 1; i >= start; i--) {
      value = (value << 7n) | BigInt((bytes[i] as number) & 127);
    }
    return BigInt.asUintN(64, value);
  }

  /** Reads a length. @returns where what has it ends. */
  #delimited(): number {
    const end = this.#low() + this.#position;
    if (end > this.#end) throw new Error('a field ends behind its message');
    return end;
  }

  #fixed(length: number): DataView {
    const { buffer, byteOffset } = this.bytes;
    const start = this.#position;
    this.#position += length;
    if (this.#position > this.#end) throw new Error('the message ends in a number');
    return new DataView(buffer, byteOffset + start, length);
  }
}

/**
 * Reads an entry of a map field.
 * @throws Error without its key or value, and as {@link WireReader}.
 */
export function readMapEntry<Key, Value>(
  map: Map<Key, Value>,
  reader: WireReader,
  readKey: (this: WireReader) => Key,
  readValue: (this: WireReader) => Value,
): void {
  const outer = reader.enter();
  let key: Key | undefined;
  let value: Value | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) key = readKey.call(reader);
    else if (field === 2) value = readValue.call(reader);
    else reader.skipField();
  }
  reader.leave(outer);
  if (key === undefined || value === undefined) throw new Error('an entry of a map lacks a part');
  map.set(key, value);
}
