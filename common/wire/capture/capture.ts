import { WireFault } from '../fault';
import { isPcapMagic, PcapRecords } from './pcap';
import { isPcapngMagic, PcapngRecords } from './pcapng';
import type { CapturedFrame, Piece, Records } from './records';

/** The frames of a capture of either kind; a fault is the last thing it gives. */
export function* readCapture(file: Uint8Array): Generator<CapturedFrame | WireFault> {
  const reader = new CaptureReader();
  yield* reader.read(file);
  yield* reader.end();
}

const MAGIC_LENGTH = 4;
const EMPTY = new Uint8Array();

/**
 * A capture of either kind that arrives piece by piece. Memory holds the last piece and at most one
 * record, whatever the capture's length.
 */
export class CaptureReader {
  #rest: Uint8Array = EMPTY;
  /** Memory of our own, in which `#rest` lies. */
  #room: Uint8Array = EMPTY;
  #base = 0;
  #records: Records | undefined;
  #failed = false;
  #piece: Piece | undefined;
  #at = 0;

  /**
   * The frames that are whole with this piece. They lie in the piece, or in memory that the next
   * call uses again; a fault ends the capture, and nothing follows it.
   */
  read(piece: Uint8Array): Pulled<CapturedFrame | WireFault> {
    this.give(piece);
    return new Pulled(() => this.next());
  }

  /** Ends the capture: returns the remaining frames, and a fault if it ends inside a record. */
  end(): Pulled<CapturedFrame | WireFault> {
    this.finish();
    return new Pulled(() => this.next());
  }

  /** Begins a piece, whose frames {@link next} gives; the one before must have been read through. */
  give(piece: Uint8Array): void {
    this.#begin(this.#joined(piece), false);
  }

  /** As {@link give}, for the end of the capture. */
  finish(): void {
    this.#begin(this.#rest, true);
  }

  /** The next frame that is whole, or a fault; undefined when more bytes are needed. */
  next(): CapturedFrame | WireFault | undefined {
    const piece = this.#piece;
    if (piece === undefined) return undefined;
    const records = (this.#records ??= recordsOf(piece));
    if (records === undefined) return this.#unknown(piece);
    const { length } = piece.bytes;
    while (this.#at < length) {
      const next = records.step(piece, this.#at);
      const { found } = records;
      if (next < 0) {
        if (found instanceof WireFault) return this.#fail(found);
        break;
      }
      this.#at = next;
      if (found !== undefined) return found;
    }
    this.#leave(piece);
    return undefined;
  }

  #begin(bytes: Uint8Array, isLast: boolean): void {
    if (this.#failed) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#piece = { bytes, view, base: this.#base, isLast };
    this.#at = 0;
  }

  /** The format is unknown until a magic number has arrived; a fault if no more bytes follow. */
  #unknown(piece: Piece): WireFault | undefined {
    if (piece.isLast || piece.bytes.length >= MAGIC_LENGTH) {
      return this.#fail(notACapture(piece.bytes));
    }
    this.#leave(piece);
    return undefined;
  }

  #leave({ bytes }: Piece): void {
    this.#piece = undefined;
    this.#base += this.#at;
    this.#keep(bytes.subarray(this.#at));
  }

  /** The piece is the caller's again, who may use its memory for the next one. */
  #keep(rest: Uint8Array): void {
    const isOwn = rest.length === 0 || rest.buffer === this.#room.buffer;
    this.#rest = isOwn ? rest : this.#roomFor(rest, rest.length).subarray(0, rest.length);
  }

  /** The unread bytes, which lie in our own memory, followed by the piece. */
  #joined(piece: Uint8Array): Uint8Array {
    const rest = this.#rest;
    if (rest.length === 0) return piece;
    const length = rest.length + piece.length;
    const room = this.#roomFor(rest, length);
    room.set(piece, rest.length);
    return room.subarray(0, length);
  }

  /** `length` bytes of own memory that start with `rest`; new memory has twice as many, so that growing costs no square. */
  #roomFor(rest: Uint8Array, length: number): Uint8Array {
    const isOwn = rest.buffer === this.#room.buffer;
    if (isOwn && rest.byteOffset + length <= this.#room.length) {
      return this.#room.subarray(rest.byteOffset);
    }
    if (this.#room.length < length) this.#room = new Uint8Array(2 * length);
    this.#room.set(rest);
    return this.#room;
  }

  #fail(fault: WireFault): WireFault {
    this.#failed = true;
    this.#piece = undefined;
    this.#rest = EMPTY;
    return fault;
  }
}

function recordsOf({ bytes, view }: Piece): Records | undefined {
  if (bytes.length < MAGIC_LENGTH) return undefined;
  const magic = view.getUint32(0);
  if (isPcapMagic(magic)) return new PcapRecords();
  return isPcapngMagic(magic) ? new PcapngRecords() : undefined;
}

const notACapture = (bytes: Uint8Array): WireFault =>
  new WireFault('capture', 0, `must start as pcap or pcapng does, found ${start(bytes)}`);

function start(file: Uint8Array): string {
  if (file.length === 0) return 'an empty file';
  const digits = Array.from(file.subarray(0, MAGIC_LENGTH), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return digits.join('');
}

/**
 * Iterates over what a function gives until it gives nothing.
 * PERF: a generator costs 40 ns per value, and as much again for each one that hands it on; the result
 * is one object, which loops look into before they ask for the next.
 */
export class Pulled<T> implements IterableIterator<T> {
  readonly #pull: () => T | undefined;
  readonly #result: { done: boolean; value: T } = { done: false, value: undefined as T };

  constructor(pull: () => T | undefined) {
    this.#pull = pull;
  }

  next(): IteratorResult<T> {
    const value = this.#pull();
    if (value === undefined) return { done: true, value };
    this.#result.value = value;
    return this.#result as IteratorYieldResult<T>;
  }

  [Symbol.iterator](): this {
    return this;
  }
}
