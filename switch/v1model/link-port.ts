import { assert } from '../../common/assert';
import { serialisationTime } from '../../common/units/units';
import { OutputPort } from './output-port';
import type { Bytes, Instant } from '../../common/units/units';
import type { LinkPortOptions, QueueUnit } from './options';

/**
 * Pacing by bits per second: a link that carries one packet at a time, bit by bit at its rate.
 *
 *   idle --start--> transmitting until `busyUntil` --that instant--> idle
 */
export class LinkPort<Item> extends OutputPort<Item> {
  readonly #rate: number;
  #busyUntil: Instant = 0;

  constructor(options: LinkPortOptions, priorities: number, unit: QueueUnit) {
    super(options.port, { priorities, unit, limit: options.queueLimit ?? {} });
    assert(options.rate > 0, `port ${options.port} has a rate above 0`);
    this.#rate = options.rate;
  }

  isFree(now: Instant): boolean {
    return now >= this.#busyUntil;
  }

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

  start(now: Instant, bytes: Bytes): Instant {
    assert(this.isFree(now), 'a port sends one packet at a time');
    this.#busyUntil = now + serialisationTime(bytes, this.#rate);
    return this.#busyUntil;
  }

  nextDeparture(): Instant | undefined {
    return this.packets === 0 ? undefined : this.#busyUntil;
  }

  /** A link has the rate that it has. */
  setPacketRate(): void {
    return;
  }
}
