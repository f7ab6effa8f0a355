import { PAUSE_CLASSES, QUANTUM_BITS } from '../../common/wire/ip/mac-control';
import { FifoQueue } from './packet-queue';
import { SerialisedPort } from './link-port';
import type { PauseRequest } from '../../common/wire/ip/mac-control';
import type { BitsPerSecond, Bytes, Duration, Instant, PortNumber } from '../../common/units/units';
import type { LinkPortOptions, QueueUnit } from './options';
import type { Place } from './pause-watch';

/** Port numbers have 9 bits. */
const PORTS = 512;

/** Properties of a waiting packet that a shared buffer accounts by. */
export interface Buffered {
  readonly ingressPort: PortNumber;
  readonly packet: { readonly length: Bytes; readonly id?: number | undefined };
}

/** Requests of a lossless port to the memory that it shares with the others. */
export interface BufferedLink<Item> {
  /** Takes a packet into the memory; false without room. */
  admit(place: Place, bytes: Bytes, now: Instant): boolean;
  /** A packet has left its queue, in which pauses of its port kept it back for `held`. */
  leave(place: Place, item: Item, held: Duration, now: Instant): void;
  /** A packet has been thrown away with the queue that it waited in. */
  discard(place: Place, bytes: Bytes): void;
  /** Repeats the pause requests of a port, at the instant that the port has set. */
  repeatRequests(port: PortNumber, now: Instant): void;
}

/** Durations of pauses, and numbers of requests. */
export interface PauseCounters {
  /** Times that a priority stopped, and that a request resumed it early. */
  readonly pauses: number;
  readonly resumes: number;
  readonly duration: Duration;
}

/** The state of one priority. */
interface Priority {
  pausedUntil: Instant;
  /** Since when {@link pausedUntil} counts. */
  since: Instant;
  /** Duration of earlier pauses. */
  before: Duration;
  pauses: number;
  resumes: number;
  /** For each packet that waits: how long the priority had been paused when it came. */
  readonly marks: FifoQueue<Duration>;
  /** Bytes that wait, by the port where they came in. */
  readonly bytesFrom: Int32Array;
}

/**
 * A link whose packets wait in a memory that all ports share, and whose other end can stop it, each
 * priority by itself.
 */
export class LosslessPort<Item extends Buffered> extends SerialisedPort<Item> {
  readonly #link: BufferedLink<Item>;
  readonly #priorities: readonly Priority[];
  /** Instant at which this port has to repeat its pause requests; Infinity: never. */
  repeatAt: Instant = Infinity;

  constructor(
    options: LinkPortOptions,
    shape: { readonly priorities: number; readonly unit: QueueUnit },
    link: BufferedLink<Item>,
  ) {
    super(options, shape.priorities, shape.unit);
    this.#link = link;
    this.#priorities = this.queues.map(() => ({
      pausedUntil: 0,
      since: 0,
      before: 0,
      pauses: 0,
      resumes: 0,
      marks: new FifoQueue<Duration>(),
      bytesFrom: new Int32Array(PORTS),
    }));
  }

  enqueue(item: Item, bytes: Bytes, priority: number, now: Instant): boolean {
    const state = this.#priorities[priority];
    if (state === undefined) return false;
    const { ingressPort: ingress } = item;
    const place = { egress: this.port, ingress, priority };
    if (!this.#link.admit(place, bytes, now)) return false;
    if (this.queues[priority]?.enqueue(item, bytes) !== true) {
      this.#link.discard(place, bytes);
      return false;
    }
    state.bytesFrom[ingress] = (state.bytesFrom[ingress] ?? 0) + bytes;
    state.marks.enqueue(this.#pausedFor(state, now), 0);
    return true;
  }

  /** Pauses stop priorities. */
  setWeight(): boolean {
    return false;
  }

  /** Whatever waits takes room in the shared buffer. */
  isIdle(): boolean {
    return false;
  }

  dequeue(now: Instant): Item | undefined {
    if (now >= this.repeatAt) this.#link.repeatRequests(this.port, now);
    if (!this.isFree(now)) return undefined;
    for (let priority = this.queues.length - 1; priority >= 0; priority--) {
      const state = this.#priorities[priority];
      if (state === undefined || state.pausedUntil > now) continue;
      const item = this.queues[priority]?.dequeue();
      if (item === undefined) continue;
      this.#forget(state, item);
      const held = this.#pausedFor(state, now) - (state.marks.dequeue() ?? 0);
      const place = { egress: this.port, ingress: item.ingressPort, priority };
      this.#link.leave(place, item, held, now);
      return item;
    }
    return undefined;
  }

  nextDeparture(): Instant | undefined {
    let earliest = this.repeatAt;
    this.queues.forEach(({ packets }, priority) => {
      const until = this.#priorities[priority]?.pausedUntil ?? 0;
      if (packets > 0) earliest = Math.min(earliest, Math.max(this.freeAt, until));
    });
    return earliest === Infinity ? undefined : earliest;
  }

  override drain(): Item[] {
    const items: Item[] = [];
    this.queues.forEach((queue, priority) => {
      for (let item = queue.dequeue(); item !== undefined; item = queue.dequeue()) {
        const { ingressPort: ingress, packet } = item;
        this.#link.discard({ egress: this.port, ingress, priority }, packet.length);
        items.push(item);
      }
    });
    for (const { marks, bytesFrom } of this.#priorities) {
      while (marks.dequeue() !== undefined);
      bytesFrom.fill(0);
    }
    return items;
  }

  /** Takes the link for a frame of the port's own, which goes before everything that waits. */
  interject(now: Instant, bytes: Bytes): { readonly start: Instant; readonly end: Instant } {
    const start = Math.max(now, this.freeAt);
    return { start, end: this.start(start, bytes) };
  }

  /** Obeys a request of the other end to pause or resume; times count from now. */
  obey({ classes, quanta }: PauseRequest, now: Instant): void {
    this.#priorities.slice(0, PAUSE_CLASSES).forEach((state, priority) => {
      if ((classes & (1 << priority)) === 0) return;
      const until = now + quantaTime(quanta[priority] ?? 0, this.rate);
      const wasPaused = state.pausedUntil > now;
      state.before = this.#pausedFor(state, now);
      state.since = now;
      state.pausedUntil = until;
      if (!wasPaused && until > now) state.pauses += 1;
      if (wasPaused && until === now) state.resumes += 1;
    });
  }

  isPaused(priority: number, now: Instant): boolean {
    return (this.#priorities[priority]?.pausedUntil ?? 0) > now;
  }

  /** Bytes queued in a priority that came in at a port. */
  bytesFrom(ingress: PortNumber, priority: number): Bytes {
    return this.#priorities[priority]?.bytesFrom[ingress] ?? 0;
  }

  pauseCounters(priority: number, now: Instant): PauseCounters {
    const state = this.#priorities[priority];
    if (state === undefined) return { pauses: 0, resumes: 0, duration: 0 };
    const { pauses, resumes } = state;
    return { pauses, resumes, duration: this.#pausedFor(state, now) };
  }

  #pausedFor({ before, since, pausedUntil }: Priority, now: Instant): Duration {
    return before + Math.max(0, Math.min(now, pausedUntil) - since);
  }

  #forget(state: Priority, { ingressPort, packet }: Item): void {
    state.bytesFrom[ingressPort] = (state.bytesFrom[ingressPort] ?? 0) - packet.length;
  }
}

/** Duration of a pause of so many quanta on a link. */
export function quantaTime(quanta: number, rate: BitsPerSecond): Duration {
  return Math.ceil((quanta * QUANTUM_BITS * 1e12) / rate);
}
