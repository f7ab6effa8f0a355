/** Protobuf's wire types, as far as messages without groups have them. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** A request whose largest field is looked at later, whatever it takes to decode. */
export interface PartedRequest {
  /** The serialized request without that field; undefined when that is longer than the limit. */
  readonly head: Uint8Array | undefined;
  readonly whole: Uint8Array;
}

/** A whole request in its parts, however long they are. @throws Error when the bytes are no message. */
export const parted = (whole: Uint8Array, field: number, headMax = Infinity): PartedRequest => {
  return { head: withoutField(whole, field, headMax), whole };
};

/**
 * A message without one of its fields; undefined when that has more bytes than a bound.
 * @throws Error when the bytes are no message.
 */
export function withoutField(
  bytes: Uint8Array,
  field: number,
  bytesMax: number,
): Uint8Array | undefined {
  const [plain, tag] = [plainBytes(bytes), tagOf(field)];
  const pieces: Uint8Array[] = [];
  const reader = new TagReader(plain);
  let start = 0;
  let kept = 0;
  while (!reader.atEnd) {
    const at = reader.position;
    const found = reader.varint();
    reader.skip(found & 7);
    if (found !== tag) {
      if (kept + reader.position - start > bytesMax) return undefined;
      continue;
    }
    if (at > start) pieces.push(plain.subarray(start, at));
    kept += at - start;
    start = reader.position;
  }
  if (start < plain.length || pieces.length === 0) pieces.push(plain.subarray(start));
  return pieces.length === 1 ? (pieces[0] ?? plain) : Uint8Array.from(Buffer.concat(pieces));
}

const tagOf = (field: number): number => field * 8 + LENGTH_DELIMITED;

// PERF: parts of a Buffer cost twice what parts of a plain array do, and are converted when read.
const plainBytes = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);

/** The serialized elements of a repeated field, in order. @throws Error when the bytes are no message. */
export function* elementsOf(message: Uint8Array, field: number): Iterable<Uint8Array> {
  const elements = new Elements(message, field);
  while (elements.next()) yield elements.element;
}

/** The elements of a repeated field one by one, where they lie. PERF: an iterator makes two objects of each. */
export class Elements {
  /** The message that they are in. */
  readonly bytes: Uint8Array;
  /** First byte of the element, and the first one behind it. */
  start = 0;
  end = 0;
  readonly #tag: number;
  readonly #reader: TagReader;

  constructor(message: Uint8Array, field: number) {
    this.bytes = plainBytes(message);
    this.#tag = tagOf(field);
    this.#reader = new TagReader(this.bytes);
  }

  /** Goes to the next element; false behind the last. @throws Error when the bytes are no message. */
  next(): boolean {
    const reader = this.#reader;
    while (!reader.atEnd) {
      const found = reader.varint();
      if (found !== this.#tag) {
        reader.skip(found & 7);
        continue;
      }
      const length = reader.varint();
      this.start = reader.position;
      reader.advance(length);
      this.end = reader.position;
      return true;
    }
    return false;
  }

  /** The element by itself. */
  get element(): Uint8Array {
    return this.bytes.subarray(this.start, this.end);
  }
}

class TagReader {
  position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get atEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  /** Lengths and tags have at most 32 bits; more is no message of ours. */
  varint(): number {
    let value = 0;
    for (let shift = 1; shift < 2 ** 35; shift *= 128) {
      const byte = this.bytes[this.position];
      if (byte === undefined) throw new Error('the message ends inside a number');
      this.position += 1;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
    throw new Error('a number of the message is too long');
  }

  skip(wireType: number): void {
    if (wireType === LENGTH_DELIMITED) this.advance(this.varint());
    else if (wireType === VARINT) this.#skipVarint();
    else if (wireType === FIXED64) this.advance(8);
    else if (wireType === FIXED32) this.advance(4);
    else throw new Error(`the message has a field of the unknown wire type ${wireType}`);
  }

  advance(count: number): void {
    this.position += count;
    if (this.position > this.bytes.length) throw new Error('the message ends inside a field');
  }

  #skipVarint(): void {
    while ((this.bytes[this.position] ?? 0) >= 128) this.position += 1;
    this.advance(1);
  }
}
