import { assert } from '../../common/assert';
import { FifoQueue } from './packet-queue';
import type { Bytes, Instant, InstantCell, PortNumber } from '../../common/units/units';
import type { QueueLimit, QueueUnit } from './options';

/** Why a port does not take a packet into a queue. */
export type RefusalReason = 'queue-full' | 'pause-storm';

/** The longest that the queues of a port have been, and since when. */
export interface QueuePeak {
  readonly bytes: Bytes;
  readonly at: Instant;
}

const queueIn = <Item>(unit: QueueUnit, limit: QueueLimit): FifoQueue<Item> =>
  unit.kind === 'cells' ? new CellQueue<Item>(limit, unit.cell) : new FifoQueue<Item>(limit);

/**
 * One output: a queue per priority, of which the highest number is served first, and a rule that
 * says when a packet may leave. The rules are {@link LinkPort}'s and {@link PacedPort}'s.
 */
export abstract class OutputPort<Item> {
  /** Queues by priority. */
  protected readonly queues: readonly FifoQueue<Item>[];
  readonly #cell: Bytes | undefined;
  #peak: QueuePeak = { bytes: 0, at: 0 };
  /** The earliest instant for which a wake-up is scheduled, or Infinity. */
  readonly wakeupAt: InstantCell = Float64Array.of(Infinity);

  constructor(
    readonly port: PortNumber,
    options: { readonly priorities: number; readonly limit: QueueLimit; readonly unit: QueueUnit },
  ) {
    assert(options.priorities >= 1, `port ${port} has at least one queue`);
    const { priorities, limit, unit } = options;
    this.queues = Array.from({ length: priorities }, () => queueIn<Item>(unit, limit));
    this.#cell = unit.kind === 'packets' ? undefined : unit.cell;
  }

  get priorities(): number {
    return this.queues.length;
  }

  /** Packets that wait, of all priorities. */
  get packets(): number {
    let sum = 0;
    for (const queue of this.queues) sum += queue.packets;
    return sum;
  }

  /** Bytes that wait, of all priorities, in the lengths that packets were admitted with. */
  get bytes(): Bytes {
    let sum = 0;
    for (const queue of this.queues) sum += queue.bytes;
    return sum;
  }

  /** The same of one priority. */
  bytesOf(priority: number): Bytes {
    return this.queues[priority]?.bytes ?? 0;
  }

  get peak(): QueuePeak {
    return this.#peak;
  }

  /** Depth of one queue, without the packet in service, in the unit of the metadata. */
  depth(priority: number): number {
    return this.queues[priority]?.depth(this.#cell) ?? 0;
  }

  /** Remembers the queues as they are if they were never longer. */
  notePeak(now: Instant): void {
    const { bytes } = this;
    if (bytes > this.#peak.bytes) this.#peak = { bytes, at: now };
  }

  /** Changes how many packets the queue of a priority holds, or each queue. */
  setDepth(packets: number, priority: number | undefined): void {
    this.queues.forEach((queue, i) => {
      if (priority === undefined || priority === i) queue.limitPackets(packets);
    });
  }

  /** Takes everything out that waits, whatever the time. */
  drain(): Item[] {
    const items: Item[] = [];
    for (const queue of this.queues) {
      for (let item = queue.dequeue(); item !== undefined; item = queue.dequeue()) items.push(item);
    }
    return items;
  }

  /** Why {@link enqueue} has refused. */
  refusalOf(priority: number): RefusalReason {
    assert(priority < this.priorities, `port ${this.port} has a queue ${priority}`);
    return 'queue-full';
  }

  /** Serves queues by weights; false, and nothing changes, where ports know priorities alone. */
  abstract setWeight(weight: number, priority: number | undefined): boolean;

  /** Adds an item to a queue; false, and nothing changes, when the queue is at its limit. */
  abstract enqueue(item: Item, bytes: Bytes, priority: number, now: Instant): boolean;
  /**
   * True if an item that enters a queue now leaves at once, and nothing else changes. PERF: false
   * is always allowed; the item then goes through its queue.
   */
  abstract isIdle(now: Instant, bytes: Bytes, priority: number): boolean;
  /** Takes the item that may leave now. */
  abstract dequeue(now: Instant): Item | undefined;
  /** Begins to send so many bytes; returns the instant at which the last bit has left, until the next are sent. */
  abstract start(now: Instant, bytes: Bytes): InstantCell;
  /** When the next item may leave, or Infinity while nothing waits. */
  abstract nextDeparture(): Instant;
  /** Changes the packets per second of the queue of a priority, or of each queue. */
  abstract setPacketRate(packetsPerSecond: number, priority: number | undefined): void;
}

/**
 * A queue in a memory of cells, of which each packet takes whole ones for itself, as in Tofino: 14 cells of 80
 * bytes for 1106 bytes.
 */
export class CellQueue<Item> extends FifoQueue<Item> {
  #cells = 0;

  constructor(
    limit: QueueLimit,
    private readonly cell: Bytes,
  ) {
    super(limit);
  }

  override enqueue(item: Item, bytes: Bytes): boolean {
    const isIn = super.enqueue(item, bytes);
    if (isIn) this.#cells += this.#cellsOf(bytes);
    return isIn;
  }

  override dequeue(): Item | undefined {
    const before = this.bytes;
    const item = super.dequeue();
    this.#cells -= this.#cellsOf(before - this.bytes);
    return item;
  }

  override depth(): number {
    return this.#cells;
  }

  #cellsOf(bytes: Bytes): number {
    return Math.ceil(bytes / this.cell);
  }
}
