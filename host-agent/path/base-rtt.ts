import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { seconds, serialisationTime } from '../../common/units/units';
import { checkParameter } from '../algorithm/check-parameter';

/** Options of a host that measures T itself. */
export interface BaseRttOptions {
  /** Round trips that a path must have shown before its T is believed. Default 8. */
  readonly samples?: number;
  /** Time for which a minimum counts. Default 10 s, as long as BBR's. */
  readonly window?: Duration;
  /** T is at least this: what both hosts need for themselves. Default 0. */
  readonly floor?: Duration;
  /**
   * T is at least the time that so many full frames take on the slowest link: with a shorter one, a
   * single packet that waits would look like congestion. Default 1, below which no round trip is.
   */
  readonly framesMin?: number;
}

export type BaseRttPlan = Required<BaseRttOptions>;

/** Fills in defaults. Throws InputError naming the option that is out of range. */
export function checkBaseRtt(options: BaseRttOptions): BaseRttPlan {
  const ps = { low: 0, high: Number.MAX_SAFE_INTEGER };
  const count = { low: 1, high: 1000, integer: true };
  return {
    samples: checkParameter('samples', options.samples ?? 8, count),
    window: checkParameter('window', options.window ?? seconds(10), { ...ps, exclusiveLow: true }),
    floor: checkParameter('floor', options.floor ?? 0, ps),
    framesMin: checkParameter('framesMin', options.framesMin ?? 1, count),
  };
}

/** Lengths by which the round trip of a probe becomes that of data. */
export interface ProbedFrames {
  /** Rate of the sender's own link. */
  readonly linkRate: BitsPerSecond;
  /** A full data frame and a probe, as they leave the host. */
  readonly dataLength: Bytes;
  readonly probeLength: Bytes;
  /** Bytes that each switch adds to either. */
  readonly hopLength: Bytes;
}

/** One round trip of a probe, and the links that it crossed. */
interface RoundTrip {
  readonly rtt: Duration;
  /** Links in the order of the path; empty where the network shows none. */
  readonly links: readonly HopRecord[];
}

/**
 * T of one path, by the shortest round trip of late.
 *
 * The drafts call T the "known baseline RTT" and "the base propagation RTT", which W is divided by
 * to give the pacing rate (section "HPCC++ Algorithm"; draft-an-ccwg-hpcc-00, table of parameters),
 * and leave open how it is known. Three things follow from what it is for:
 *
 *   - It is the round trip of a **full data frame** and its acknowledgement: below it the window
 *     would limit an undisturbed flow. Probes are shorter, so the difference is added for each link.
 *   - It is that of an **idle** network, so the least of several counts. Round trips that met a
 *     queue, which telemetry shows, can only lower it: else a flow would take its own queue for the
 *     length of the path, and lengthen its window and the queue with it.
 *   - It belongs to **one path**; another path has another one.
 */
export class PathBaseRtt {
  readonly #plan: BaseRttPlan;
  readonly #frames: ProbedFrames;
  readonly #least: WindowedMinimum;
  readonly #rates: readonly BitsPerSecond[];
  #samples = 0;
  #notedAt: Instant = -Infinity;

  constructor(plan: BaseRttPlan, frames: ProbedFrames, links: readonly HopRecord[]) {
    this.#plan = plan;
    this.#frames = frames;
    this.#least = new WindowedMinimum(plan.window);
    const known = links.map(({ capacity }) => capacity).filter((capacity) => capacity > 0);
    this.#rates = [frames.linkRate, ...known];
  }

  /** Time at which a round trip was noted last; -Infinity before the first one. */
  get notedAt(): Instant {
    return this.#notedAt;
  }

  note(now: Instant, { rtt, links }: RoundTrip): void {
    this.#samples++;
    this.#notedAt = now;
    const isIdle = links.every(({ queueBytes }) => queueBytes === 0);
    if (isIdle || rtt < this.#least.value) this.#least.note(now, rtt);
  }

  /** Base RTT in whole ps; undefined until enough round trips were noted. */
  get T(): Duration | undefined {
    if (this.#samples < this.#plan.samples) return undefined;
    const { dataLength, probeLength } = this.#frames;
    const longer = dataLength - probeLength;
    const ofData = this.#least.value + this.#sumOver((rate) => serialisationTime(longer, rate));
    const slowest = Math.min(...this.#rates);
    const frames = serialisationTime(this.#plan.framesMin * this.#longest(), slowest);
    return Math.ceil(Math.max(ofData, this.#serialisation(), frames, this.#plan.floor));
  }

  /** No round trip is shorter than what data and acknowledgement take to be put on the links. */
  #serialisation(): Duration {
    const { dataLength, probeLength, hopLength } = this.#frames;
    const hops = this.#rates.length - 1;
    const acknowledgement = probeLength + hops * hopLength;
    return this.#rates.reduce((sum, rate, i) => {
      const data = serialisationTime(dataLength + i * hopLength, rate);
      return sum + data + serialisationTime(acknowledgement, rate);
    }, 0);
  }

  /** A full frame on the last link. */
  #longest(): Bytes {
    return this.#frames.dataLength + (this.#rates.length - 1) * this.#frames.hopLength;
  }

  #sumOver(of: (rate: BitsPerSecond) => Duration): Duration {
    return this.#rates.reduce((sum, rate) => sum + of(rate), 0);
  }
}

/** Parts of the window; a value is forgotten up to one of them early. */
const PARTS = 4;

/**
 * The least of the values of late, in memory that does not grow: the window moves on in steps of a
 * quarter of its length. Nothing is forgotten without anything newer.
 */
export class WindowedMinimum {
  readonly #partLength: Duration;
  /** The least value of each part of the window, oldest first. */
  #parts: { readonly number: number; least: number }[] = [];

  constructor(window: Duration) {
    this.#partLength = window / PARTS;
  }

  /** Infinity before the first value. */
  get value(): number {
    return this.#parts.reduce((least, part) => Math.min(least, part.least), Infinity);
  }

  /** `now` does not go back. */
  note(now: Instant, value: number): void {
    const number = Math.floor(now / this.#partLength);
    if (this.#parts.at(-1)?.number !== number) {
      this.#parts = this.#parts.filter((part) => part.number > number - PARTS);
      this.#parts.push({ number, least: Infinity });
    }
    const latest = this.#parts.at(-1);
    if (latest !== undefined) latest.least = Math.min(latest.least, value);
  }
}
