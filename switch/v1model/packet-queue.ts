import type { Bytes } from '../../common/units/units';
import type { QueueLimit } from './options';

/** Queue of one port. A scheduler over priorities would have the same interface. */
export interface PacketQueue<Item> {
  readonly packets: number;
  readonly bytes: Bytes;
  /** Adds an item at the end; false, and nothing changes, when a limit forbids it. */
  enqueue(item: Item, bytes: Bytes): boolean;
  /** Takes the item that is served next. */
  dequeue(): Item | undefined;
}

const INITIAL_CAPACITY = 16;

/**
 * First in, first out, with tail drop.
 * PERF: a ring over two arrays that double when full, so a packet costs no allocation.
 */
export class FifoQueue<Item> implements PacketQueue<Item> {
  #packetLimit: number;
  readonly #byteLimit: Bytes;
  #items: (Item | undefined)[] = new Array<Item | undefined>(INITIAL_CAPACITY).fill(undefined);
  #lengths: Bytes[] = new Array<Bytes>(INITIAL_CAPACITY).fill(0);
  #head = 0;
  #packets = 0;
  #bytes: Bytes = 0;

  constructor(limit: QueueLimit = {}) {
    this.#packetLimit = limit.packets ?? Infinity;
    this.#byteLimit = limit.bytes ?? Infinity;
  }

  get packets(): number {
    return this.#packets;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  /** Depth in whole cells of `cell` bytes, or in packets. */
  depth(cell: Bytes | undefined): number {
    // PERF: most packets find nothing before them, and a division takes long.
    if (this.#packets === 0) return 0;
    return cell === undefined ? this.#packets : Math.floor(this.#bytes / cell);
  }

  /** Changes how many packets may wait; those that wait already stay. */
  limitPackets(packets: number): void {
    this.#packetLimit = packets;
  }

  /** True if the limits admit `bytes` more. */
  admits(bytes: Bytes): boolean {
    return this.#packets < this.#packetLimit && this.#bytes + bytes <= this.#byteLimit;
  }

  enqueue(item: Item, bytes: Bytes): boolean {
    if (!this.admits(bytes)) return false;
    if (this.#packets === this.#items.length) this.#grow();
    const tail = (this.#head + this.#packets) & (this.#items.length - 1);
    this.#items[tail] = item;
    this.#lengths[tail] = bytes;
    this.#packets += 1;
    this.#bytes += bytes;
    return true;
  }

  dequeue(): Item | undefined {
    if (this.#packets === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#bytes -= this.#lengths[this.#head] ?? 0;
    this.#packets -= 1;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    return item;
  }

  /** Doubles the ring; capacities are powers of two so that positions wrap by masking. */
  #grow(): void {
    const size = this.#items.length;
    const order = Array.from({ length: size * 2 }, (_, i) => (this.#head + i) & (size - 1));
    this.#items = order.map((from, i) => (i < size ? this.#items[from] : undefined));
    this.#lengths = order.map((from, i) => (i < size ? (this.#lengths[from] ?? 0) : 0));
    this.#head = 0;
  }
}
