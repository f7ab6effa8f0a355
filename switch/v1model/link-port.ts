import { WeightedRoundRobin } from './weighted-round-robin';
import type {
  Bytes,
  Duration,
  Instant,
  InstantCell,
  BitsPerSecond,
} from '../../common/units/units';
import { assert } from '../../common/assert';
import { byteTime } from '../../common/units/units';
import { OutputPort } from './output-port';
import type { LinkPortOptions, QueueUnit } from './options';

/**
 * Pacing by bits per second: a link that carries one packet at a time, bit by bit at its rate.
 *
 *   idle --start--> transmitting until `freeAt` --that instant--> idle
 */
export abstract class SerialisedPort<Item> extends OutputPort<Item> {
  readonly rate: BitsPerSecond;
  /** PERF: a division takes as long as many other steps. */
  readonly #byteTime: Duration;
  /** When the packet in service has left. */
  readonly #freeAt: InstantCell = new Float64Array(1);

  constructor(options: LinkPortOptions, priorities: number, unit: QueueUnit) {
    super(options.port, { priorities, unit, limit: options.queueLimit ?? {} });
    assert(options.rate > 0, `port ${options.port} has a rate above 0`);
    this.rate = options.rate;
    this.#byteTime = byteTime(options.rate);
  }

  protected get freeAt(): Instant {
    return this.#freeAt[0] as number;
  }

  isFree(now: Instant): boolean {
    return now >= (this.#freeAt[0] as number);
  }

  start(now: Instant, bytes: Bytes): InstantCell {
    assert(this.isFree(now), 'a port sends one packet at a time');
    this.#freeAt[0] = now + Math.ceil(bytes * this.#byteTime);
    return this.#freeAt;
  }

  /** A link has the rate that it has. */
  setPacketRate(): void {
    return;
  }
}

/** A link whose packets leave when their turn has come. */
export class LinkPort<Item> extends SerialisedPort<Item> {
  /** Scheduler of queues with weights; undefined without any. */
  #turns: WeightedRoundRobin | undefined;

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

  override start(now: Instant, bytes: Bytes): InstantCell {
    this.#turns?.charge(bytes);
    return super.start(now, bytes);
  }

  setWeight(weight: number, priority: number | undefined): boolean {
    const turns = (this.#turns ??= new WeightedRoundRobin(this.queues.length));
    this.queues.forEach((_, queue) => {
      if (priority === undefined || priority === queue) turns.setWeight(queue, weight);
    });
    return true;
  }

  #dequeueWeighted(turns: WeightedRoundRobin): Item | undefined {
    const queue = turns.next((each) => (this.queues[each]?.packets ?? 0) > 0);
    return queue === undefined ? undefined : this.queues[queue]?.dequeue();
  }

  nextDeparture(): Instant {
    return this.packets === 0 ? Infinity : this.freeAt;
  }
}
