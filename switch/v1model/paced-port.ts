import { PS_PER_SECOND } from '../../common/units/units';
import { OutputPort } from './output-port';
import type { Bytes, Duration, Instant, InstantCell } from '../../common/units/units';
import type { PacedPortOptions, QueueUnit } from './options';

/** bmv2's own limit. */
const DEFAULT_DEPTH = 64;

/** The pacing of one queue. */
interface Pace {
  /** Time between two departures; 0 without a limit. */
  interval: Duration;
  /** When the packet that was admitted last departs. */
  last: Instant;
  /** Departures of the packets that wait, in order. */
  readonly departures: Instant[];
}

/**
 * Pacing by packets per second, as on bmv2: the departure of a packet is set on arrival, one
 * interval behind the packet before it in its queue. There is no bucket, and bytes do not count. A
 * departure takes no time, so several priorities together exceed the rate of each.
 */
export class PacedPort<Item> extends OutputPort<Item> {
  readonly #paces: readonly Pace[];
  readonly #startedAt: InstantCell = new Float64Array(1);

  constructor(options: PacedPortOptions, priorities: number, unit: QueueUnit) {
    super(options.port, {
      priorities,
      unit,
      limit: options.queueLimit ?? { packets: DEFAULT_DEPTH },
    });
    const interval = intervalOf(options.packetsPerSecond ?? 0);
    this.#paces = this.queues.map(() => ({ interval, last: 0, departures: [] }));
  }

  /** A refused packet takes no departure. */
  enqueue(item: Item, bytes: Bytes, priority: number, now: Instant): boolean {
    const pace = this.#paces[priority];
    if (pace === undefined || this.queues[priority]?.enqueue(item, bytes) !== true) return false;
    pace.last = Math.max(now, pace.last + pace.interval);
    pace.departures.push(pace.last);
    return true;
  }

  /** False: departures are set on arrival. */
  isIdle(): boolean {
    return false;
  }

  dequeue(now: Instant): Item | undefined {
    for (let priority = this.queues.length - 1; priority >= 0; priority--) {
      const departures = this.#paces[priority]?.departures;
      const departure = departures?.[0];
      if (departure === undefined || departure > now) continue;
      departures?.shift();
      return this.queues[priority]?.dequeue();
    }
    return undefined;
  }

  /** The packet is on its way at once. */
  start(now: Instant): InstantCell {
    this.#startedAt[0] = now;
    return this.#startedAt;
  }

  nextDeparture(): Instant {
    let earliest: Instant = Infinity;
    for (const { departures } of this.#paces) {
      const departure = departures[0] ?? Infinity;
      if (departure < earliest) earliest = departure;
    }
    return earliest;
  }

  /** For packets that come from now on; those that wait keep their departures. */
  setPacketRate(packetsPerSecond: number, priority: number | undefined): void {
    this.#paces.forEach((pace, i) => {
      if (priority === undefined || priority === i) pace.interval = intervalOf(packetsPerSecond);
    });
  }

  /** A departure is fixed on arrival. */
  setWeight(): boolean {
    return false;
  }

  override drain(): Item[] {
    for (const { departures } of this.#paces) departures.length = 0;
    return super.drain();
  }
}

function intervalOf(packetsPerSecond: number): Duration {
  return packetsPerSecond > 0 ? Math.round(PS_PER_SECOND / packetsPerSecond) : 0;
}
