/** Thrift's binary protocol: the types of values, and how long those are whose length is fixed. */
const STOP = 0;
const STRING = 11;
const STRUCT = 12;
const MAP = 13;
const SET = 14;
const LIST = 15;
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [2, 1],
  [3, 1],
  [4, 8],
  [6, 2],
  [8, 4],
  [10, 8],
]);

/** True if values can have this type. */
export const isTypeOfValue = (type: number): boolean =>
  FIXED_BYTES.has(type) || [STRING, STRUCT, MAP, SET, LIST].includes(type);

const VERSION_MASK = 0xffff_0000;
const VERSION_1 = 0x8001_0000;
/** bmv2's services nest three structures at most. */
const DEPTH_MAX = 16;
/** Values of a message: those of a call are a few hundred, and to decode millions, which nobody needs, takes long. */
const VALUES_MAX = 4096;

/** Next need of the scan: some bytes to read, or some to skip. */
type Want = { readonly take: number } | { readonly skip: number };
type Scan = Generator<Want, void, DataView>;

/** Bounds of one message. */
interface Bounds {
  readonly bytesMax: number;
  /** Values that it may still have. */
  values: number;
}

/** Why a connection cannot go on. */
export class ThriftMessageError extends Error {
  override readonly name = 'ThriftMessageError';
}

/**
 * Finds the ends of messages in a stream that does not say where they are. Every byte is looked at
 * once, whatever pieces it comes in, and a length that is announced costs nothing until it arrives.
 */
export class MessageScanner {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #scan: Scan;
  #want: Want;
  /** Bytes received of what the scan needs. */
  #got = 0;
  readonly #scratch = new DataView(new ArrayBuffer(8));

  constructor(private readonly bytesMax: number) {
    this.#scan = scanMessage(bytesMax);
    this.#want = { take: 4 };
    this.#begin();
  }

  /** True if a message has begun to arrive and not ended. */
  get isInside(): boolean {
    return this.#length > 0;
  }

  /** The messages that end in this piece. @throws ThriftMessageError */
  push(chunk: Uint8Array): Uint8Array[] {
    const messages: Uint8Array[] = [];
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      at += this.#consume(chunk, at);
      if (this.#length + at - start > this.bytesMax) throw tooLong(this.bytesMax);
      if (!this.#advance()) continue;
      messages.push(Buffer.concat([...this.#pieces, chunk.subarray(start, at)]));
      start = at;
      this.#begin();
    }
    if (start < chunk.length) this.#pieces.push(chunk.slice(start));
    this.#length += chunk.length - start;
    return messages;
  }

  #begin(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#scan = scanMessage(this.bytesMax);
    this.#step();
  }

  /** Takes or passes over what it can; returns how many bytes. */
  #consume(chunk: Uint8Array, at: number): number {
    const wanted = 'take' in this.#want ? this.#want.take : this.#want.skip;
    const count = Math.min(wanted - this.#got, chunk.length - at);
    if ('take' in this.#want) {
      for (let i = 0; i < count; i++) this.#scratch.setUint8(this.#got + i, chunk[at + i] ?? 0);
    }
    this.#got += count;
    return count;
  }

  /** Goes on as far as it can with what has come; returns whether the message has ended. */
  #advance(): boolean {
    const wanted = 'take' in this.#want ? this.#want.take : this.#want.skip;
    return this.#got === wanted && this.#step();
  }

  #step(): boolean {
    for (;;) {
      const step = this.#scan.next(this.#scratch);
      this.#got = 0;
      if (step.done === true) return true;
      this.#want = step.value;
      if (!('skip' in step.value) || step.value.skip > 0) return false;
    }
  }
}

function* scanMessage(bytesMax: number): Scan {
  const bounds = { bytesMax, values: VALUES_MAX };
  const version = (yield { take: 4 }).getUint32(0);
  if ((version & VERSION_MASK) >>> 0 !== VERSION_1) {
    throw new ThriftMessageError('this is not the binary protocol of Thrift, version 1');
  }
  yield* scanString(bounds);
  yield { skip: 4 };
  yield* scanStruct(bounds, 0);
}

function* scanString({ bytesMax }: Bounds): Scan {
  yield { skip: lengthOf(yield { take: 4 }, bytesMax) };
}

function* scanStruct(bounds: Bounds, depth: number): Scan {
  if (depth > DEPTH_MAX) throw new ThriftMessageError(`structures are nested ${depth} deep`);
  for (;;) {
    const type = (yield { take: 1 }).getUint8(0);
    if (type === STOP) return;
    take(bounds, 1);
    yield { skip: 2 };
    yield* scanValue(type, bounds, depth);
  }
}

function* scanValue(type: number, bounds: Bounds, depth: number): Scan {
  const fixed = FIXED_BYTES.get(type);
  if (fixed !== undefined) yield { skip: fixed };
  else if (type === STRING) yield* scanString(bounds);
  else if (type === STRUCT) yield* scanStruct(bounds, depth + 1);
  else if (type === MAP) yield* scanMany(2, bounds, depth);
  else if (type === SET || type === LIST) yield* scanMany(1, bounds, depth);
  else throw new ThriftMessageError(`a value has the unknown type ${type}`);
}

/** @param kinds 2 for maps, whose elements are pairs. */
function* scanMany(kinds: 1 | 2, bounds: Bounds, depth: number): Scan {
  const types: number[] = [];
  for (let i = 0; i < kinds; i++) types.push((yield { take: 1 }).getUint8(0));
  const count = lengthOf(yield { take: 4 }, bounds.bytesMax);
  take(bounds, kinds * count);
  const sizes = types.map((type) => FIXED_BYTES.get(type));
  if (sizes.every((size) => size !== undefined)) {
    yield { skip: count * sizes.reduce((sum: number, size) => sum + (size ?? 0), 0) };
    return;
  }
  for (let i = 0; i < count; i++) {
    for (const type of types) yield* scanValue(type, bounds, depth + 1);
  }
}

/** @throws ThriftMessageError beyond the bound. */
function take(bounds: Bounds, count: number): void {
  bounds.values -= count;
  if (bounds.values >= 0) return;
  throw new ThriftMessageError(`a message has more than ${VALUES_MAX} values`);
}

function lengthOf(view: DataView, bytesMax: number): number {
  const length = view.getInt32(0);
  if (length < 0) throw new ThriftMessageError(`a length is negative: ${length}`);
  if (length > bytesMax) throw tooLong(bytesMax);
  return length;
}

const tooLong = (bytesMax: number): ThriftMessageError =>
  new ThriftMessageError(`a message has more than ${bytesMax} bytes (limit thrift-message-bytes)`);
