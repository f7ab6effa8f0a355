import { assert } from '../../common/assert';
import { PAUSE_CLASSES, QUANTUM_BITS } from '../../common/wire/ip/mac-control';
import { FifoQueue } from './packet-queue';
import { SerialisedPort } from './link-port';
import { PauseAllowance } from './pause-allowance';
import { StormWatch } from '../../common/pause/storm-watch';
import type { StormAction, WatchdogOptions } from '../buffer/storm-options';
import type { RefusalReason } from './output-port';
import type { PauseRequest } from '../../common/wire/ip/mac-control';
import type {
  BitsPerSecond,
  Bytes,
  Duration,
  Instant,
  InstantCell,
  PortNumber,
} from '../../common/units/units';
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
  /**
   * A storm of pauses has begun in a queue, with the packets that it drops at once, or has ended; see
   * {@link StormWatch}.
   */
  storm(queue: StormedQueue, dropped: number, now: Instant): void;
  /** A packet was refused because of a storm. */
  stormDrop(): void;
  /** Repeats the pause requests of a port, at the instant that the port has set. */
  repeatRequests(port: PortNumber, now: Instant): void;
}

/** A queue, and if there is a storm of pauses. */
export interface StormedQueue {
  readonly egress: PortNumber;
  readonly priority: number;
  readonly isStorm: boolean;
}

/** Durations of pauses, and numbers of requests. */
export interface PauseCounters {
  /** Times that a priority stopped, and that a request resumed it early. */
  readonly pauses: number;
  readonly resumes: number;
  readonly duration: Duration;
  /** Times that the watchdog found that pauses let nothing go, and packets that it dropped. */
  readonly storms: number;
  readonly stormDrops: number;
  /** Requests of this priority that were too many for the port's link. */
  readonly ignored: number;
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
  storms: number;
  stormDrops: number;
  ignored: number;
  /** Absent where pauses are not obeyed, or not watched. */
  readonly watch: StormWatch | undefined;
  /** For each packet that waits: how long the priority had been paused when it came. */
  readonly marks: FifoQueue<Duration>;
  /** Bytes that wait, by the port where they came in. */
  readonly bytesFrom: Int32Array;
}

/** Queues of a port, and what its other end may do to them. */
export interface LosslessShape {
  readonly priorities: number;
  readonly unit: QueueUnit;
  /** By priority: pauses are agreed upon; others are not obeyed. */
  readonly isLossless: readonly boolean[];
  /** Absent: pauses may last for ever. */
  readonly watchdog: WatchdogOptions | undefined;
}

/**
 * A link whose packets wait in a memory that all ports share, and whose other end can stop it, each
 * priority by itself.
 */
export class LosslessPort<Item extends Buffered> extends SerialisedPort<Item> {
  readonly #link: BufferedLink<Item>;
  readonly #priorities: readonly Priority[];
  readonly #isLossless: readonly boolean[];
  /** Absent without a watchdog. */
  readonly #action: StormAction | undefined;
  readonly #allowance: PauseAllowance;
  /** Instant at which this port has to repeat its pause requests; Infinity: never. */
  repeatAt: Instant = Infinity;

  constructor(options: LinkPortOptions, shape: LosslessShape, link: BufferedLink<Item>) {
    super(options, shape.priorities, shape.unit);
    this.#link = link;
    this.#isLossless = shape.isLossless;
    this.#action = shape.watchdog?.action;
    this.#allowance = new PauseAllowance(options.rate);
    this.#priorities = this.queues.map((_, priority) => ({
      pausedUntil: 0,
      since: 0,
      before: 0,
      pauses: 0,
      resumes: 0,
      storms: 0,
      stormDrops: 0,
      ignored: 0,
      watch:
        shape.watchdog !== undefined && shape.isLossless[priority] === true
          ? new StormWatch(shape.watchdog)
          : undefined,
      marks: new FifoQueue<Duration>(),
      bytesFrom: new Int32Array(PORTS),
    }));
  }

  enqueue(item: Item, bytes: Bytes, priority: number, now: Instant): boolean {
    const state = this.#priorities[priority];
    if (state === undefined) return false;
    const { ingressPort: ingress } = item;
    const place = { egress: this.port, ingress, priority };
    if (this.#isStormed(state, priority, now)) {
      state.stormDrops += 1;
      this.#link.stormDrop();
      return false;
    }
    if (!this.#link.admit(place, bytes, now)) return false;
    if (this.queues[priority]?.enqueue(item, bytes) !== true) {
      this.#link.discard(place, bytes);
      return false;
    }
    state.bytesFrom[ingress] = (state.bytesFrom[ingress] ?? 0) + bytes;
    state.marks.enqueue(this.#pausedFor(state, now), 0);
    if (state.pausedUntil > now) state.watch?.noteHeld(now);
    return true;
  }

  override refusalOf(priority: number): RefusalReason {
    const watch = this.#priorities[priority]?.watch;
    const drops = watch?.isStorm === true && this.#action === 'drop';
    return drops ? 'pause-storm' : 'queue-full';
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
    if (this.#action !== undefined) this.#lookAtAll(now);
    if (!this.isFree(now)) return undefined;
    for (let priority = this.queues.length - 1; priority >= 0; priority--) {
      const state = this.#priorities[priority];
      if (state === undefined || (state.pausedUntil > now && !this.#forwards(state))) continue;
      const item = this.queues[priority]?.dequeue();
      if (item === undefined) continue;
      state.watch?.noteProgress();
      this.#forget(state, item);
      const held = this.#pausedFor(state, now) - (state.marks.dequeue() ?? 0);
      const place = { egress: this.port, ingress: item.ingressPort, priority };
      this.#link.leave(place, item, held, now);
      return item;
    }
    return undefined;
  }

  nextDeparture(): Instant {
    let earliest = this.repeatAt;
    this.queues.forEach(({ packets }, priority) => {
      const state = this.#priorities[priority];
      const until = state?.pausedUntil ?? 0;
      const due = state?.watch?.dueAt(until) ?? Infinity;
      if (packets > 0) {
        const leaves = state !== undefined && this.#forwards(state) ? 0 : until;
        earliest = Math.min(earliest, Math.max(this.freeAt, Math.min(leaves, due)));
      } else if (state?.watch?.isStorm === true) {
        earliest = Math.min(earliest, due);
      }
    });
    return earliest;
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
    for (const { marks, bytesFrom, watch } of this.#priorities) {
      while (marks.dequeue() !== undefined);
      bytesFrom.fill(0);
      watch?.noteProgress();
    }
    return items;
  }

  /** Takes the link for a frame of the port's own, which goes before everything that waits. */
  interject(now: Instant, bytes: Bytes): { readonly start: Instant; readonly end: InstantCell } {
    const start = Math.max(now, this.freeAt);
    return { start, end: this.start(start, bytes) };
  }

  /**
   * Obeys a request of the other end to pause or resume, in the priorities that this is agreed for and as often as
   * the link may have reason for it; times count from now. To resume is always obeyed: it stops nobody.
   */
  obey({ classes, quanta }: PauseRequest, now: Instant): void {
    const stops = quanta.some((time, priority) => time > 0 && (classes & (1 << priority)) !== 0);
    const isTooMany = stops && !this.#allowance.take(now);
    this.#priorities.slice(0, PAUSE_CLASSES).forEach((state, priority) => {
      if ((classes & (1 << priority)) === 0 || this.#isLossless[priority] !== true) return;
      if (isTooMany && (quanta[priority] ?? 0) > 0) {
        state.ignored += 1;
        return;
      }
      if (state.watch !== undefined) this.#look(state, priority, now);
      const until = now + quantaTime(quanta[priority] ?? 0, this.rate);
      const wasPaused = state.pausedUntil > now;
      state.before = this.#pausedFor(state, now);
      state.since = now;
      state.pausedUntil = until;
      if (!wasPaused && until > now) state.pauses += 1;
      if (wasPaused && until === now) state.resumes += 1;
      if (until > now && (this.queues[priority]?.packets ?? 0) > 0) state.watch?.noteHeld(now);
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
    assert(state !== undefined, `the port has a priority ${priority}`);
    const { pauses, resumes, storms, stormDrops, ignored } = state;
    return {
      pauses,
      resumes,
      duration: this.#pausedFor(state, now),
      storms,
      stormDrops,
      ignored,
    };
  }

  #pausedFor({ before, since, pausedUntil }: Priority, now: Instant): Duration {
    return before + Math.max(0, Math.min(now, pausedUntil) - since);
  }

  /** True for a queue that drops what comes because of a storm. */
  #isStormed(state: Priority, priority: number, now: Instant): boolean {
    if (state.watch === undefined) return false;
    this.#look(state, priority, now);
    return state.watch.isStorm && this.#action === 'drop';
  }

  /** True for a queue whose packets leave in spite of pauses. */
  #forwards({ watch }: Priority): boolean {
    return watch?.isStorm === true && this.#action === 'forward';
  }

  #lookAtAll(now: Instant): void {
    for (let priority = 0; priority < this.#priorities.length; priority++) {
      const state = this.#priorities[priority];
      if (state?.watch !== undefined) this.#look(state, priority, now);
    }
  }

  #look(state: Priority, priority: number, now: Instant): void {
    const change = state.watch?.look(now, state.pausedUntil);
    if (change === undefined) return;
    const isStorm = change === 'began';
    let dropped = 0;
    if (isStorm) {
      state.storms += 1;
      if (this.#action === 'drop') dropped = this.#dropWaiting(state, priority);
      state.stormDrops += dropped;
    }
    this.#link.storm({ egress: this.port, priority, isStorm }, dropped, now);
  }

  #dropWaiting(state: Priority, priority: number): number {
    const queue = this.queues[priority];
    let dropped = 0;
    for (let item = queue?.dequeue(); item !== undefined; item = queue?.dequeue()) {
      this.#forget(state, item);
      state.marks.dequeue();
      const place = { egress: this.port, ingress: item.ingressPort, priority };
      this.#link.discard(place, item.packet.length);
      dropped += 1;
    }
    return dropped;
  }

  #forget(state: Priority, { ingressPort, packet }: Item): void {
    state.bytesFrom[ingressPort] = (state.bytesFrom[ingressPort] ?? 0) - packet.length;
  }
}

/** Duration of a pause of so many quanta on a link. */
export function quantaTime(quanta: number, rate: BitsPerSecond): Duration {
  return Math.ceil((quanta * QUANTUM_BITS * 1e12) / rate);
}
