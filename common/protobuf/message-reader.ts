import { longOf } from './long';

/** Wire types of protobuf. Groups come only as unknown fields. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

/** Messages in messages, and groups in groups, as deep as Protobuf's own libraries read them. */
const DEPTH_MAX = 100;
/** Bytes of a number at most. */
const VARINT_BYTES_MAX = 10;
/** PERF: up to here a loop copies faster than the engine. */
const LOOPED_COPY_MAX = 64;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const TWO_TO_32 = 2 ** 32;
const LONG_BYTES = 8;

/** The bytes are no message. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
}

/** A class of generated messages. */
interface MessageType<Message> {
  deserialize(bytes: Uint8Array | MessageReader): Message;
}

/**
 * Reads a message of protobuf (https://protobuf.dev/programming-guides/encoding) field by field. All reading methods
 * throw a {@link MessageError} for bytes that are no message.
 * PERF: one reader serves a message with all that are in it, and numbers are read without objects.
 */
export class MessageReader {
  /** Number of the field whose value comes next. */
  field = 0;
  #wireType = VARINT;
  #at = 0;
  #end: number;
  #depth = 0;
  /** Upper half of the number that was read last; the lower one is returned. */
  #high = 0;

  /** @param bytes of one message. */
  constructor(private readonly bytes: Uint8Array) {
    this.#end = bytes.length;
  }

  /** Goes to another message, which lies at these bytes. */
  seek(start: number, end: number): void {
    this.#at = start;
    this.#end = end;
    this.#depth = 0;
  }

  /** Goes to the next field; false at the end of the message. */
  nextField(): boolean {
    if (this.#at === this.#end) return false;
    const tag = this.#varint();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    if (this.field === 0) throw new MessageError('a field of the message has the number 0');
    if (this.#wireType === END_GROUP) throw new MessageError('a group ends that has not begun');
    return true;
  }

  /** Passes over a value, of whatever kind. */
  skipField(): void {
    if (this.#wireType === START_GROUP) this.#skipGroup();
    else this.#skipValue();
  }

  /**
   * Goes into the message that is the value of the field: fields are then those of that message.
   * @returns the end of the message around it, for {@link MessageReader.leave}.
   */
  enter(): number {
    const length = this.#length();
    const end = this.#end;
    this.#end = this.#at + length;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX)
      throw new MessageError(`messages are nested deeper than ${DEPTH_MAX}`);
    return end;
  }

  /** Goes back to the message around, when all fields inside were read. */
  leave(end: number): void {
    this.#end = end;
    this.#depth -= 1;
  }

  readUint32(): number {
    this.#expect(VARINT);
    return this.#varint();
  }

  readInt32(): number {
    return this.readUint32() | 0;
  }

  readEnum(): number {
    return this.readInt32();
  }

  readSint32(): number {
    const value = this.readUint32();
    return (value >>> 1) ^ -(value & 1);
  }

  readBool(): boolean {
    return this.readUint32() !== 0 || this.#high !== 0;
  }

  /** Decimal digits. */
  readUint64String(): string {
    const low = this.readUint32();
    return this.#high === 0 ? String(low) : String(joined(low, this.#high));
  }

  /** Decimal digits, with a sign where it is negative. */
  readInt64String(): string {
    const low = this.readUint32();
    return this.#high === 0 ? String(low) : String(BigInt.asIntN(64, joined(low, this.#high)));
  }

  /** The nearest number, exact up to 2^53. */
  readUint64(): number {
    const low = this.readUint32();
    return this.#high * TWO_TO_32 + low;
  }

  /** The nearest number, exact up to 2^53 on both sides of 0. */
  readInt64(): number {
    const low = this.readUint32();
    return this.#high >>> 31 === 0
      ? this.#high * TWO_TO_32 + low
      : Number(BigInt.asIntN(64, joined(low, this.#high)));
  }

  /** As {@link MessageReader.readInt64}. */
  readSint64(): number {
    const low = this.readUint32();
    const value = joined(low, this.#high);
    return Number((value >> 1n) ^ -(value & 1n));
  }

  readFixed32(): number {
    return this.#fixed(FIXED32, 4).getUint32(0, true);
  }

  readSfixed32(): number {
    return this.#fixed(FIXED32, 4).getInt32(0, true);
  }

  readFloat(): number {
    return this.#fixed(FIXED32, 4).getFloat32(0, true);
  }

  /** The nearest number. */
  readFixed64(): number {
    return Number(this.#fixed(FIXED64, 8).getBigUint64(0, true));
  }

  /** The nearest number. */
  readSfixed64(): number {
    return Number(this.#fixed(FIXED64, 8).getBigInt64(0, true));
  }

  readDouble(): number {
    return this.#fixed(FIXED64, 8).getFloat64(0, true);
  }

  /** A text, which is UTF-8. */
  readString(): string {
    const length = this.#length();
    const start = this.#at;
    this.#at += length;
    return length === 0 ? '' : UTF8.decode(this.bytes.subarray(start, this.#at));
  }

  /** Bytes in memory of their own, so that who keeps them keeps no more. */
  readBytes(): Uint8Array {
    const length = this.#length();
    const start = this.#at;
    this.#at += length;
    const copy = new Uint8Array(length);
    if (length > LOOPED_COPY_MAX) copy.set(this.bytes.subarray(start, this.#at));
    else for (let i = 0; i < length; i++) copy[i] = this.bytes[start + i] as number;
    return copy;
  }

  /** The bytes as an unsigned number, the highest byte first; undefined where there are none, or more bits than that. */
  readBigEndian(bits: number): bigint | undefined {
    const length = this.#length();
    const end = this.#at + length;
    let at = this.#at;
    this.#at = end;
    if (length === 0) return undefined;
    while (at < end && this.bytes[at] === 0) at += 1;
    const spare = bits - 8 * (end - at);
    if (spare < 0 && (spare <= -8 || (this.bytes[at] as number) >>> (8 + spare) !== 0))
      return undefined;
    let value = this.#long(at, (end - at) % LONG_BYTES);
    at += (end - at) % LONG_BYTES;
    for (; at < end; at += LONG_BYTES) value = (value << 64n) | this.#long(at, LONG_BYTES);
    return value;
  }

  /** Up to 8 bytes as a number. */
  #long(start: number, count: number): bigint {
    let [high, low] = [0, 0];
    for (let at = start; at < start + count; at++) {
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | (this.bytes[at] as number);
    }
    return longOf(high, low);
  }

  /** Appends numbers, packed or not. */
  readPackableUint32Into(list: number[]): void {
    this.#eachPacked(() => list.push(this.#varint()));
  }

  /** Appends numbers, packed or not. */
  readPackableEnumInto(list: number[]): void {
    this.#eachPacked(() => list.push(this.#varint() | 0));
  }

  /** Appends numbers, packed or not; the nearest ones. */
  readPackableUint64Into(list: number[]): void {
    this.#eachPacked(() => {
      const low = this.#varint();
      list.push(this.#high * TWO_TO_32 + low);
    });
  }

  /** Appends values, packed or not. */
  readPackableBoolInto(list: boolean[]): void {
    this.#eachPacked(() => list.push(this.#varint() !== 0 || this.#high !== 0));
  }

  /** Reads an entry of a map from texts to messages. */
  readEntry<Message>(map: Map<string, Message>, type: MessageType<Message>): void {
    this.#readEntry(map, type.deserialize(new Uint8Array()), () => {
      const end = this.enter();
      const value = type.deserialize(this);
      this.leave(end);
      return value;
    });
  }

  /** Reads an entry of a map from texts to texts. */
  readTextEntry(map: Map<string, string>): void {
    this.#readEntry(map, '', () => this.readString());
  }

  #readEntry<Value>(map: Map<string, Value>, absent: Value, read: () => Value): void {
    const end = this.enter();
    let [key, value] = ['', absent];
    while (this.nextField()) {
      if (this.field === 1) key = this.readString();
      else if (this.field === 2) value = read();
      else this.skipField();
    }
    this.leave(end);
    map.set(key, value);
  }

  #eachPacked(read: () => void): void {
    if (this.#wireType === VARINT) {
      read();
      return;
    }
    const length = this.#length();
    const end = this.#end;
    this.#end = this.#at + length;
    while (this.#at < this.#end) read();
    this.#end = end;
  }

  #expect(wireType: number): void {
    if (this.#wireType === wireType) return;
    throw new MessageError(
      `field ${this.field} has the wire type ${this.#wireType}, not ${wireType}`,
    );
  }

  /** Length of the value, which is all there. */
  #length(): number {
    this.#expect(LENGTH_DELIMITED);
    const length = this.#varint();
    if (length > this.#end - this.#at) throw new MessageError('the message ends inside a field');
    return length;
  }

  #fixed(wireType: number, length: number): DataView {
    this.#expect(wireType);
    const start = this.#at;
    this.#advance(length);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + start, length);
  }

  #advance(count: number): void {
    if (count > this.#end - this.#at) throw new MessageError('the message ends inside a field');
    this.#at += count;
  }

  /** The lower 32 bits of a number of up to 64; the upper ones are then in `#high`. */
  #varint(): number {
    this.#high = 0;
    const byte = this.#byte();
    return byte < 128 ? byte : this.#longVarint(byte & 127);
  }

  #longVarint(first: number): number {
    let low = first;
    let high = 0;
    for (let i = 1; i < VARINT_BYTES_MAX; i++) {
      const byte = this.#byte();
      const bits = byte & 127;
      if (i < 4) low |= bits << (7 * i);
      else if (i > 4) high |= bits << (7 * i - 32);
      else {
        low |= bits << 28;
        high = bits >>> 4;
      }
      if (byte >= 128) continue;
      this.#high = high >>> 0;
      return low >>> 0;
    }
    throw new MessageError('a number of the message is too long');
  }

  #byte(): number {
    if (this.#at === this.#end) throw new MessageError('the message ends inside a number');
    return this.bytes[this.#at++] as number;
  }

  #skipValue(): void {
    if (this.#wireType === LENGTH_DELIMITED) this.#advance(this.#varint());
    else if (this.#wireType === VARINT) this.#varint();
    else if (this.#wireType === FIXED64) this.#advance(8);
    else if (this.#wireType === FIXED32) this.#advance(4);
    else
      throw new MessageError(`the message has a field of the unknown wire type ${this.#wireType}`);
  }

  /** Groups are no recursion here, so that a sender cannot choose how deep it is. */
  #skipGroup(): void {
    const open = [this.field];
    while (open.length > 0) {
      if (this.#at === this.#end) throw new MessageError('the message ends inside a group');
      const tag = this.#varint();
      this.#wireType = tag & 7;
      if (this.#wireType === START_GROUP) {
        open.push(tag >>> 3);
        if (open.length > DEPTH_MAX)
          throw new MessageError(`groups are nested deeper than ${DEPTH_MAX}`);
      } else if (this.#wireType !== END_GROUP) this.#skipValue();
      else if (open.pop() !== tag >>> 3) throw new MessageError('a group ends that has not begun');
    }
  }
}

const joined = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);
