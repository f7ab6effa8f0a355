import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { serialisationTime } from '../../common/units/units';

/** A part of the time of a port. */
interface Bucket {
  readonly others: Map<number | null, Duration>;
  own: Duration;
  paused: Duration;
  /** Bytes that waited, summed over departures. */
  waited: Bytes;
  departures: number;
}

/** Time of a port within a window. */
export interface Use {
  readonly window: Duration;
  readonly others: ReadonlyMap<number | null, Duration>;
  readonly othersTotal: Duration;
  readonly own: Duration;
  readonly paused: Duration;
  /** Load U: time in use over the window, and what waits over what passes in T. */
  readonly load: number;
}

/** Buckets that are kept. */
const KEPT = 1024;

/**
 * Use of a port of a flow's path, in buckets of half a base RTT: which other flows it carried
 * while the flow's own window or pacing held it back.
 */
export class PortUse {
  readonly #buckets = new Map<number, Bucket>();
  readonly #width: Duration;
  readonly #since: Instant;
  #pausedUpTo: Instant;
  #pausedBefore: Duration;

  constructor(
    readonly rate: BitsPerSecond,
    private readonly baseRtt: Duration,
    start: { readonly at: Instant; readonly paused: Duration },
  ) {
    this.#width = baseRtt / 2;
    this.#since = start.at;
    this.#pausedUpTo = start.at;
    this.#pausedBefore = start.paused;
  }

  sent(packet: {
    readonly start: Instant;
    readonly bytes: Bytes;
    /** Number of its flow; null: none; undefined: the flow that is looked at. */
    readonly other: number | null | undefined;
    readonly waiting: Bytes;
  }): void {
    const bucket = this.#bucket(packet.start);
    const time = serialisationTime(packet.bytes, this.rate);
    bucket.waited += packet.waiting;
    bucket.departures += 1;
    if (packet.other === undefined) bucket.own += time;
    else bucket.others.set(packet.other, (bucket.others.get(packet.other) ?? 0) + time);
  }

  /** @param paused how long the port had been paused up to now, over the whole run. */
  notePaused(now: Instant, paused: Duration): void {
    if (now <= this.#pausedUpTo) return;
    const added = Math.min(paused - this.#pausedBefore, now - this.#pausedUpTo);
    const from = Math.max(this.#pausedUpTo, now - added);
    this.#pausedBefore = paused;
    this.#pausedUpTo = now;
    for (let at = from; at < now;) {
      const end = Math.min(now, (Math.floor(at / this.#width) + 1) * this.#width);
      this.#bucket(at).paused += end - at;
      at = end;
    }
  }

  /** Use of the port over the last base RTT before `from`, and up to `to`. */
  use(from: Instant, to: Instant): Use {
    const first = Math.floor((from - this.baseRtt) / this.#width);
    const last = Math.floor(to / this.#width);
    const others = new Map<number | null, Duration>();
    let [own, paused, waited, departures, othersTotal] = [0, 0, 0, 0, 0];
    for (let index = first; index <= last; index++) {
      const bucket = this.#buckets.get(index);
      if (bucket === undefined) continue;
      own += bucket.own;
      paused += bucket.paused;
      waited += bucket.waited;
      departures += bucket.departures;
      for (const [flow, time] of bucket.others) {
        others.set(flow, (others.get(flow) ?? 0) + time);
        othersTotal += time;
      }
    }
    const begin = Math.max(first * this.#width, this.#since);
    const window = Math.max(to - begin, own + othersTotal + paused, 1);
    const queue = departures === 0 ? 0 : waited / departures;
    const load =
      (own + othersTotal + paused) / window + serialisationTime(queue, this.rate) / this.baseRtt;
    return { window, others, othersTotal, own, paused, load };
  }

  #bucket(at: Instant): Bucket {
    const index = Math.floor(at / this.#width);
    const known = this.#buckets.get(index);
    if (known !== undefined) return known;
    const bucket = { others: new Map(), own: 0, paused: 0, waited: 0, departures: 0 };
    this.#buckets.set(index, bucket);
    if (this.#buckets.size > KEPT) {
      for (const old of this.#buckets.keys()) {
        if (old < index - KEPT / 2) this.#buckets.delete(old);
      }
    }
    return bucket;
  }
}
