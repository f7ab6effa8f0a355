import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant } from '../../common/units/units';

/** Offsets of a ring's counters, in words of 32 bits; they are in different cache lines. */
const WRITTEN = 0;
const READ = 16;
const COUNTERS = 32;

/*
 * A message is a row of 64-bit words:
 *
 *   0 arrival   1 id (NaN: none)
 *   2 channel | length << 32   3 stored bytes | tail << 32
 *   then the stored bytes and the tail, padded
 */
const ARRIVAL = 0;
const ID = 1;
const HEAD_WORDS = 4;
const WORD = 8;

/** A packet on its way from one part of a network to another. */
export interface Crossing {
  readonly channel: number;
  readonly at: Instant;
  readonly packet: Packet;
}

/** Takes what has come through a ring; the bytes are the ring's again afterwards. */
export type Arrival = (crossing: Crossing) => void;

/** Bytes of memory of a ring that holds so many bytes of messages, a power of two. */
export const ringMemory = (capacity: Bytes): Bytes => COUNTERS * 4 + capacity;

/**
 * Packets from one worker to another, in shared memory: one writes, the other reads, and the
 * counters alone say where messages are. A message lies in one piece or begins at the start again.
 */
export class Ring {
  readonly #counters: Int32Array;
  readonly #words: Float64Array;
  readonly #halves: Int32Array;
  readonly #bytes: Uint8Array;
  /** Words of 64 bits. */
  readonly #capacity: number;

  /** @param memory of {@link ringMemory} bytes, 0 at the beginning, shared by both workers */
  constructor(memory: SharedArrayBuffer) {
    this.#counters = new Int32Array(memory, 0, COUNTERS);
    this.#words = new Float64Array(memory, COUNTERS * 4);
    this.#halves = new Int32Array(memory, COUNTERS * 4);
    this.#bytes = new Uint8Array(memory, COUNTERS * 4);
    this.#capacity = this.#words.length;
  }

  /** Returns false where there is no room now. */
  write({ channel, at, packet }: Crossing): boolean {
    const { bytes, tail, length } = packet;
    const stored = bytes.length + (tail?.length ?? 0);
    const words = HEAD_WORDS + Math.ceil(stored / WORD);
    const start = this.#room(words);
    if (start < 0) return false;
    const place = start % this.#capacity;
    this.#words[place + ARRIVAL] = at;
    this.#words[place + ID] = packet.id ?? NaN;
    const half = 2 * (place + ID + 1);
    this.#halves[half] = channel;
    this.#halves[half + 1] = length;
    this.#halves[half + 2] = bytes.length;
    this.#halves[half + 3] = tail === undefined ? NO_TAIL : tail.length;
    const at8 = (place + HEAD_WORDS) * WORD;
    this.#bytes.set(bytes, at8);
    if (tail !== undefined) this.#bytes.set(tail, at8 + bytes.length);
    Atomics.store(this.#counters, WRITTEN, start + words);
    return true;
  }

  /** Hands everything over that was written. */
  drain(arrive: Arrival): void {
    const written = this.#count(WRITTEN);
    let read = this.#count(READ);
    while (read !== written) {
      const place = read % this.#capacity;
      const skips = Number.isNaN(this.#words[place]);
      const words = skips
        ? this.#capacity - place
        : HEAD_WORDS + Math.ceil(this.#take(place, arrive) / WORD);
      read = (read + words) >>> 0;
    }
    Atomics.store(this.#counters, READ, read);
  }

  /** Returns how many bytes were stored. */
  #take(place: number, arrive: Arrival): Bytes {
    const half = 2 * (place + ID + 1);
    const stored = this.#halves[half + 2] as number;
    const tail = this.#halves[half + 3] as number;
    const id = this.#words[place + ID] as number;
    const from = (place + HEAD_WORDS) * WORD;
    arrive({
      channel: this.#halves[half] as number,
      at: this.#words[place + ARRIVAL] as number,
      packet: {
        bytes: this.#bytes.subarray(from, from + stored),
        length: this.#halves[half + 1] as number,
        tail:
          tail === NO_TAIL ? undefined : this.#bytes.subarray(from + stored, from + stored + tail),
        id: Number.isNaN(id) ? undefined : id,
      },
    });
    return stored + Math.max(tail, 0);
  }

  /** Words written or read so far, modulo 2^32, which is a multiple of the capacity. */
  #count(counter: number): number {
    return Atomics.load(this.#counters, counter) >>> 0;
  }

  /** Start of a message of so many words, or -1 where there is no room. */
  #room(words: number): number {
    const written = this.#count(WRITTEN);
    const free = this.#capacity - ((written - this.#count(READ)) >>> 0);
    const behind = this.#capacity - (written % this.#capacity);
    if (words <= behind) return words <= free ? written : -1;
    if (behind + words > free) return -1;
    // NaN is no time: the reader goes on at the start.
    this.#words[written % this.#capacity] = NaN;
    return (written + behind) >>> 0;
  }
}

const NO_TAIL = -1;
