import { assert } from '../../common/assert';
import { serialisationTime } from '../../common/units/units';
import { FifoQueue } from './packet-queue';
import type { BitsPerSecond, Bytes, Instant, PortNumber } from '../../common/units/units';
import type { PortOptions, QueueUnit } from './options';
import type { PacketQueue } from './packet-queue';

/** The longest that a queue has been, and since when. */
export interface QueuePeak {
  readonly bytes: Bytes;
  readonly at: Instant;
}

/**
 * One output: a queue and a link that carries one packet at a time, bit by bit at its rate.
 *
 *   idle --start--> transmitting until `busyUntil` --that instant--> idle
 */
export class OutputPort<Item> {
  readonly queue: PacketQueue<Item>;
  /** The network was asked to say when the link is free. */
  awaitsWakeup = false;
  #busyUntil: Instant = 0;
  #peak: QueuePeak = { bytes: 0, at: 0 };

  constructor(
    readonly port: PortNumber,
    readonly rate: BitsPerSecond,
    queue: PacketQueue<Item>,
  ) {
    assert(rate > 0, `port ${port} has a rate above 0`);
    this.queue = queue;
  }

  get peak(): QueuePeak {
    return this.#peak;
  }

  /** Remembers the queue as it is if it was never longer. */
  notePeak(now: Instant): void {
    if (this.queue.bytes > this.#peak.bytes) this.#peak = { bytes: this.queue.bytes, at: now };
  }

  get busyUntil(): Instant {
    return this.#busyUntil;
  }

  isFree(now: Instant): boolean {
    return now >= this.#busyUntil;
  }

  /** Begins to send so many bytes; returns the instant at which the last bit has left. */
  start(now: Instant, bytes: Bytes): Instant {
    assert(this.isFree(now), `port ${this.port} sends one packet at a time`);
    this.#busyUntil = now + serialisationTime(bytes, this.rate);
    return this.#busyUntil;
  }
}

/** Queues and links of all ports. It knows nothing of P4: an item is whatever waits. */
export class TrafficManager<Item> {
  /** By port number; port numbers have 9 bits. */
  readonly #ports: (OutputPort<Item> | undefined)[] = [];
  readonly #cell: Bytes | undefined;

  constructor(ports: readonly PortOptions[], unit: QueueUnit) {
    this.#cell = unit.kind === 'bytes' ? unit.cell : undefined;
    for (const { port, rate, queueLimit } of ports) {
      assert(this.#ports[port] === undefined, `port ${port} is declared once`);
      this.#ports[port] = new OutputPort(port, rate, new FifoQueue<Item>(queueLimit));
    }
  }

  port(number: PortNumber): OutputPort<Item> | undefined {
    return this.#ports[number];
  }

  /** All ports in ascending order of their numbers. */
  *ports(): Iterable<OutputPort<Item>> {
    for (const port of this.#ports) if (port !== undefined) yield port;
  }

  /** What waits, without the packet in service, in the unit of the metadata. */
  depth({ queue }: OutputPort<Item>): number {
    return this.#cell === undefined ? queue.packets : Math.floor(queue.bytes / this.#cell);
  }
}
