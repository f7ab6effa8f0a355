import type { Bytes, Instant, InstantCell } from '../../common/units/units';

/** Counts of packets and bytes into and out of a channel, which must add up. */
export interface ChannelLedger {
  readonly sentPackets: number;
  readonly sentBytes: Bytes;
  readonly lostPackets: number;
  readonly lostBytes: Bytes;
  readonly deliveredPackets: number;
  readonly deliveredBytes: Bytes;
  /** Wire bytes of the largest packet sent. */
  readonly largestPacket: Bytes;
  /** Start of the first and end of the last transmission; -1 before there was one. */
  readonly firstStart: Instant;
  readonly lastEnd: Instant;
}

/** Cells of a row. The node where a channel begins writes the first eight, the node where it ends the others. */
const SENT_PACKETS = 0;
const SENT_BYTES = 1;
const LARGEST_PACKET = 2;
const FIRST_START = 3;
const LAST_END = 4;
const DELIVERED_PACKETS = 8;
const DELIVERED_BYTES = 9;
const LOST_PACKETS = 10;
const LOST_BYTES = 11;
const ROW_CELLS = 16;

const NEVER: Instant = -1;

/**
 * Ledgers of all channels of a network: a row of numbers for each.
 * PERF: an instant or a count beyond 31 bits in a field of an object is an object of its own, somewhere in
 * memory. Half a row is a line of the processor's caches.
 */
export class LinkRows {
  readonly #cells: Float64Array;
  #used = 0;

  /** @param channels that there will be. */
  constructor(channels: number) {
    this.#cells = new Float64Array(channels * ROW_CELLS);
  }

  /** The row of one more channel. */
  add(): LinkRow {
    const at = this.#used;
    this.#used += ROW_CELLS;
    return new LinkRow(this.#cells, at);
  }
}

/** Ledger of one channel, as a row of numbers. */
export class LinkRow implements ChannelLedger {
  readonly #cells: Float64Array;
  readonly #at: number;

  /** @param at place of the row in `cells`, which are zero there. */
  constructor(cells: Float64Array, at: number) {
    this.#cells = cells;
    this.#at = at;
    cells[at + FIRST_START] = NEVER;
    cells[at + LAST_END] = NEVER;
  }

  noteSent(bytes: Bytes, start: Instant, end: InstantCell): void {
    const cells = this.#cells;
    const at = this.#at;
    if ((cells[at + FIRST_START] as number) < 0) cells[at + FIRST_START] = start;
    cells[at + LAST_END] = end[0] as number;
    (cells[at + SENT_PACKETS] as number) += 1;
    (cells[at + SENT_BYTES] as number) += bytes;
    if (bytes > (cells[at + LARGEST_PACKET] as number)) cells[at + LARGEST_PACKET] = bytes;
  }

  noteDelivered(bytes: Bytes): void {
    (this.#cells[this.#at + DELIVERED_PACKETS] as number) += 1;
    (this.#cells[this.#at + DELIVERED_BYTES] as number) += bytes;
  }

  noteLost(bytes: Bytes): void {
    (this.#cells[this.#at + LOST_PACKETS] as number) += 1;
    (this.#cells[this.#at + LOST_BYTES] as number) += bytes;
  }

  get sentPackets(): number {
    return this.#read(SENT_PACKETS);
  }

  get sentBytes(): Bytes {
    return this.#read(SENT_BYTES);
  }

  get lostPackets(): number {
    return this.#read(LOST_PACKETS);
  }

  get lostBytes(): Bytes {
    return this.#read(LOST_BYTES);
  }

  get deliveredPackets(): number {
    return this.#read(DELIVERED_PACKETS);
  }

  get deliveredBytes(): Bytes {
    return this.#read(DELIVERED_BYTES);
  }

  get largestPacket(): Bytes {
    return this.#read(LARGEST_PACKET);
  }

  get firstStart(): Instant {
    return this.#read(FIRST_START);
  }

  get lastEnd(): Instant {
    return this.#read(LAST_END);
  }

  /** The present figures as plain data. */
  figures(): ChannelLedger {
    return {
      sentPackets: this.sentPackets,
      sentBytes: this.sentBytes,
      lostPackets: this.lostPackets,
      lostBytes: this.lostBytes,
      deliveredPackets: this.deliveredPackets,
      deliveredBytes: this.deliveredBytes,
      largestPacket: this.largestPacket,
      firstStart: this.firstStart,
      lastEnd: this.lastEnd,
    };
  }

  #read(cell: number): number {
    return this.#cells[this.#at + cell] as number;
  }
}
