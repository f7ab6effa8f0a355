/** Protobuf's wire types, as far as messages without groups have them. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/**
 * A serialized message whose elements of one repeated field are looked at one by one: a batch costs
 * no memory beyond its bytes, however many elements it has.
 */
export interface SplitMessage {
  /** The message without the repeated field. */
  readonly rest: Uint8Array;
  /** The serialized elements, in order; each pass begins anew. */
  readonly elements: () => Iterable<Uint8Array>;
}

/** @throws Error when the bytes are no message. */
export function splitRepeatedField(bytes: Uint8Array, field: number): SplitMessage {
  const tag = field * 8 + LENGTH_DELIMITED;
  // PERF: parts of a Buffer cost twice what parts of a plain array do, and are converted when read.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return { rest: withoutField(plain, tag), elements: () => elementsOf(plain, tag) };
}

function withoutField(bytes: Uint8Array, tag: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  const reader = new TagReader(bytes);
  let start = 0;
  while (!reader.atEnd) {
    const at = reader.position;
    const found = reader.varint();
    reader.skip(found & 7);
    if (found !== tag) continue;
    if (at > start) pieces.push(bytes.subarray(start, at));
    start = reader.position;
  }
  pieces.push(bytes.subarray(start));
  return pieces.length === 1 ? (pieces[0] ?? bytes) : Uint8Array.from(Buffer.concat(pieces));
}

function* elementsOf(bytes: Uint8Array, tag: number): Iterable<Uint8Array> {
  const reader = new TagReader(bytes);
  while (!reader.atEnd) {
    const found = reader.varint();
    if (found !== tag) {
      reader.skip(found & 7);
      continue;
    }
    const length = reader.varint();
    yield bytes.subarray(reader.position, reader.position + length);
    reader.advance(length);
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
