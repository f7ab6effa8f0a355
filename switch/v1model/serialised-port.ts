import { assert } from '../../common/assert';
import { serialisationTime } from '../../common/units/units';
import { OutputPort } from './output-port';
import type { BitsPerSecond, Bytes, Instant } from '../../common/units/units';
import type { LinkPortOptions, QueueUnit } from './options';

/**
 * Pacing by bits per second: a link that carries one packet at a time, bit by bit at its rate.
 *
 *   idle --start--> transmitting until `freeAt` --that instant--> idle
 */
export abstract class SerialisedPort<Item> extends OutputPort<Item> {
  readonly rate: BitsPerSecond;
  /** When the packet in service has left. */
  protected freeAt: Instant = 0;

  constructor(options: LinkPortOptions, priorities: number, unit: QueueUnit) {
    super(options.port, { priorities, unit, limit: options.queueLimit ?? {} });
    assert(options.rate > 0, `port ${options.port} has a rate above 0`);
    this.rate = options.rate;
  }

  isFree(now: Instant): boolean {
    return now >= this.freeAt;
  }

  start(now: Instant, bytes: Bytes): Instant {
    assert(this.isFree(now), 'a port sends one packet at a time');
    this.freeAt = now + serialisationTime(bytes, this.rate);
    return this.freeAt;
  }

  /** A link has the rate that it has. */
  setPacketRate(): void {
    return;
  }
}
