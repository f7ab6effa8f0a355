import { SerialisedPort } from './serialised-port';
import type { Bytes, Instant } from '../../common/units/units';

/** A link whose packets leave when their turn has come. */
export class LinkPort<Item> extends SerialisedPort<Item> {
  enqueue(item: Item, bytes: Bytes, priority: number): boolean {
    return this.queues[priority]?.enqueue(item, bytes) ?? false;
  }

  dequeue(now: Instant): Item | undefined {
    if (!this.isFree(now)) return undefined;
    for (let priority = this.queues.length - 1; priority >= 0; priority--) {
      const item = this.queues[priority]?.dequeue();
      if (item !== undefined) return item;
    }
    return undefined;
  }

  nextDeparture(): Instant | undefined {
    return this.packets === 0 ? undefined : this.freeAt;
  }
}
