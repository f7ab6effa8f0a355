import { SerialisedPort } from './serialised-port';
import { WeightedTurns } from './weighted-turns';
import type { Bytes, Instant } from '../../common/units/units';

/** A link whose packets leave when their turn has come. */
export class LinkPort<Item> extends SerialisedPort<Item> {
  /** Where queues have weights. */
  #turns: WeightedTurns | undefined;

  isIdle(now: Instant, bytes: Bytes, priority: number): boolean {
    if (this.#turns !== undefined || !this.isFree(now) || this.packets > 0) return false;
    return this.queues[priority]?.admits(bytes) ?? false;
  }

  enqueue(item: Item, bytes: Bytes, priority: number): boolean {
    return this.queues[priority]?.enqueue(item, bytes) ?? false;
  }

  dequeue(now: Instant): Item | undefined {
    if (!this.isFree(now)) return undefined;
    if (this.#turns !== undefined) return this.#dequeueWeighted(this.#turns);
    for (let priority = this.queues.length - 1; priority >= 0; priority--) {
      const item = this.queues[priority]?.dequeue();
      if (item !== undefined) return item;
    }
    return undefined;
  }

  override start(now: Instant, bytes: Bytes): Instant {
    this.#turns?.charge(bytes);
    return super.start(now, bytes);
  }

  setWeight(weight: number, priority: number | undefined): boolean {
    const turns = (this.#turns ??= new WeightedTurns(this.queues.length));
    this.queues.forEach((_, queue) => {
      if (priority === undefined || priority === queue) turns.setWeight(queue, weight);
    });
    return true;
  }

  #dequeueWeighted(turns: WeightedTurns): Item | undefined {
    const queue = turns.next((each) => (this.queues[each]?.packets ?? 0) > 0);
    return queue === undefined ? undefined : this.queues[queue]?.dequeue();
  }

  nextDeparture(): Instant | undefined {
    return this.packets === 0 ? undefined : this.freeAt;
  }
}
