import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Bytes } from '../../common/units/units';
import type { PacketMemory } from './executor';

/**
 * Room of a packet. Longer ones are rare; they have memory of their own and are forgotten like any object.
 * PERF: no power of two, since the beginnings of rows would then share few lines of the processor's caches.
 */
const ROW_BYTES = 448;
const DESKS = 2;
const ROWS_PER_SLAB = DESKS + 1024;

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_TAIL: Uint8Array | undefined = undefined as Uint8Array | undefined;
const NO_ID: number | undefined = undefined as number | undefined;
const NO_IDENTITY = { id: undefined, tail: undefined };

/** A packet that observers know by `id`. */
export const identified = ({ bytes, length, tail }: Packet, id: number): Packet =>
  tail === undefined ? { bytes, length, id } : { bytes, length, tail, id };

/**
 * Rows of bytes, one behind the other. Where there are more than one, the first two are desks, where one packet
 * at a time is read or written by those who want its bytes in an array of their own.
 */
class Slab {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly reading: Desk;
  readonly writing: Desk;

  constructor(
    readonly rowBytes: Bytes,
    rows: number,
  ) {
    this.bytes = new Uint8Array(rows * rowBytes);
    this.view = new DataView(this.bytes.buffer);
    this.reading = new Desk(this, 0);
    this.writing = new Desk(this, rowBytes);
  }
}

/** PERF: one array for each length, since making one costs more than reading a frame. */
class Desk {
  readonly #arrays: (Uint8Array | undefined)[] = [];

  constructor(
    readonly slab: Pick<Slab, 'bytes' | 'view'>,
    readonly at: number,
  ) {}

  /** So many of its bytes, as they are. */
  take(length: Bytes): Uint8Array {
    return (this.#arrays[length] ??= this.slab.bytes.subarray(this.at, this.at + length));
  }

  /** Copies a range of another desk's bytes, perhaps of another slab, to place `to`. */
  copyFrom(other: Desk, { at, length }: Omit<ByteRange, 'bytes'>, to: number): void {
    const [from, into] = [other.slab.view, this.slab.view];
    const first = other.at + at;
    const distance = this.at + to - first;
    const end = first + length;
    let next = first;
    for (; next + 4 <= end; next += 4) into.setUint32(next + distance, from.getUint32(next));
    for (; next < end; next++) into.setUint8(next + distance, from.getUint8(next));
  }
}

/**
 * A packet in a row of a slab. What is stored lies at the end of the row, so that headers grow into the
 * room before them while all that follows stays where it is:
 *
 *     | room | Ethernet, IP, UDP, telemetry | transport |
 *            start                                      end
 */
export class PooledPacket implements Packet {
  /** Number of bytes that are stored. */
  stored: Bytes = 0;
  length: Bytes = 0;
  tail: Uint8Array | undefined = undefined;
  id: number | undefined = undefined;
  /** True while nobody has the packet. */
  isIdle = false;

  constructor(
    readonly slab: Slab,
    /** Place in the slab behind the last byte. */
    readonly end: number,
  ) {}

  /** Place of the first byte in the slab. */
  get start(): number {
    return this.end - this.stored;
  }

  /** PERF: makes a view; code that runs for each packet reads the slab, or has the packet on the desk. */
  get bytes(): Uint8Array {
    return this.slab.bytes.subarray(this.start, this.end);
  }
}

/** `length` bytes of an array from `at` on. */
interface ByteRange {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly length: Bytes;
}

/** Number of bytes of a packet that are stored. */
export const storedLength = (packet: Packet): Bytes =>
  packet instanceof PooledPacket ? packet.stored : packet.bytes.length;

/** The array that the stored bytes of a packet lie in. PERF: {@link PooledPacket.bytes} makes a view. */
export const arrayOf = (packet: Packet): Uint8Array =>
  packet instanceof PooledPacket ? packet.slab.bytes : packet.bytes;

/** Place of the first stored byte of a packet in {@link arrayOf}. */
export const startOf = (packet: Packet): number =>
  packet instanceof PooledPacket ? packet.start : 0;

/**
 * Pool of the packets of a network's switches and hosts: rows of equal length that they write in place. Code
 * that ends a packet gives it back when nothing else refers to it; one that is not given back costs only
 * memory.
 * PERF: a packet keeps its row from host to host, and the row that was given back last is taken first, so
 * that a switch finds what it writes in the processor's first cache.
 */
export class PacketPool implements PacketMemory {
  readonly #idle: PooledPacket[] = [];
  #slab = new Slab(ROW_BYTES, ROWS_PER_SLAB);
  #usedRows = DESKS;
  /** The packet that was reserved last. */
  #last = this.#newRow();
  #rewritten: PooledPacket | undefined;
  /** The packet whose bytes still lie on the desk where they were written. */
  #written: PooledPacket | undefined;
  /** The packet that is looked at, and the desk where it lies. */
  readonly #open = { bytes: NO_BYTES, length: 0, tail: NO_TAIL, id: NO_ID };
  #openDesk: Desk | undefined;

  get bytes(): Uint8Array {
    return this.#last.slab.bytes;
  }

  get view(): DataView {
    return this.#last.slab.view;
  }

  get start(): number {
    return this.#last.start;
  }

  /** The memory of a packet that nobody reads any more, for what is reserved next: if it fits there. */
  rewriting(packet: Packet): PacketMemory {
    if (isInRow(packet)) this.#rewritten = packet;
    return this;
  }

  reserve(length: Bytes): void {
    const rewritten = this.#rewritten;
    this.#rewritten = undefined;
    this.#written = undefined;
    if (length > ROW_BYTES) this.#last = new PooledPacket(new Slab(length, 1), length);
    else this.#last = rewritten ?? this.#idle.pop() ?? this.#newRow();
    this.#last.isIdle = false;
    this.#last.stored = length;
  }

  reserved(): Uint8Array {
    return this.#last.bytes;
  }

  /** Memory for one packet of so many bytes, whose contents are not defined; {@link frame} has to follow. */
  take(length: Bytes): Uint8Array {
    this.reserve(length);
    return length > ROW_BYTES ? this.reserved() : this.#last.slab.writing.take(length);
  }

  /**
   * Copies bytes into those that were taken last. PERF: those of the packet that is looked at lie in a slab, whose
   * view copies four at once; an array of their own, or one byte after the other, takes three times as long.
   */
  put({ bytes, at, length }: ByteRange, into: Uint8Array, to: number): void {
    const { slab } = this.#last;
    const desk = bytes === this.#open.bytes ? this.#openDesk : undefined;
    if (desk === undefined || into.length > ROW_BYTES)
      into.set(bytes.subarray(at, at + length), to);
    else slab.writing.copyFrom(desk, { at, length }, to);
  }

  /** A packet whose bytes were taken last. */
  frame(bytes: Uint8Array, length: Bytes): Packet {
    const packet = this.#last;
    if (bytes.length <= ROW_BYTES) {
      const { slab, start } = packet;
      slab.bytes.copyWithin(start, slab.writing.at, slab.writing.at + bytes.length);
      this.#written = packet;
    }
    return this.taken(length, NO_IDENTITY);
  }

  /**
   * The packet for one who looks at its bytes, and keeps none of them until the next one is looked at or written.
   * PERF: what has just been written still lies on its desk.
   */
  opened(packet: Packet): Packet {
    if (!isInRow(packet)) return packet;
    const { slab, start, end, stored } = packet;
    const desk = packet === this.#written ? slab.writing : slab.reading;
    if (desk === slab.reading) slab.bytes.copyWithin(desk.at, start, end);
    const open = this.#open;
    this.#openDesk = desk;
    open.bytes = desk.take(stored);
    open.length = packet.length;
    open.tail = packet.tail;
    open.id = packet.id;
    return open;
  }

  /** A packet of the pool that is like another one. */
  copyOf({ bytes, length, tail, id }: Packet): Packet {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.start);
    return this.taken(length, { id, tail: tail?.slice() });
  }

  /** The packet that was reserved last: of that length, and otherwise like another one. */
  taken(length: Bytes, like: Pick<Packet, 'id' | 'tail'>): Packet {
    const packet = this.#last;
    packet.length = length;
    if (packet === like) return packet;
    packet.id = like.id;
    packet.tail = like.tail;
    return packet;
  }

  /** A packet that observers know by `id`; the same one where it is of the pool. */
  named(packet: Packet, id: number): Packet {
    if (packet instanceof PooledPacket) {
      packet.id = id;
      return packet;
    }
    return identified(packet, id);
  }

  /**
   * The packet in memory that is its own, for several who read it: its row, which is written in place, comes back.
   * A packet of other origin stays as it is.
   */
  takenOut(packet: Packet): Packet {
    if (!isInRow(packet)) return packet;
    const { length, tail, id } = packet;
    const bytes = packet.bytes.slice();
    this.give(packet);
    return { bytes, length, ...(tail !== undefined && { tail }), ...(id !== undefined && { id }) };
  }

  /** Takes a packet back that is no longer in use; packets of other origin are left alone. */
  give(packet: Packet): void {
    if (!isInRow(packet)) return;
    assert(!packet.isIdle, 'a packet is given back once');
    packet.isIdle = true;
    this.#idle.push(packet);
  }

  #newRow(): PooledPacket {
    if (this.#usedRows === ROWS_PER_SLAB) {
      this.#slab = new Slab(ROW_BYTES, ROWS_PER_SLAB);
      this.#usedRows = DESKS;
    }
    return new PooledPacket(this.#slab, ++this.#usedRows * ROW_BYTES);
  }
}

function isInRow(packet: Packet): packet is PooledPacket {
  return packet instanceof PooledPacket && packet.slab.rowBytes === ROW_BYTES;
}
