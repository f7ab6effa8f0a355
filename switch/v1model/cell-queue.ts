import type { Bytes } from '../../common/units/units';
import type { QueueLimit } from './options';
import { FifoQueue } from './packet-queue';

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
