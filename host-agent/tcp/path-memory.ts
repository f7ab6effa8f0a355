import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_SECOND, seconds } from '../../common/units/units';

/** Networks change: what was learnt of a path is worth nothing after so long. */
const FORGET_AFTER: Duration = seconds(60);

/** Properties of the path to a host, from telemetry. */
export interface KnownPath {
  /** Capacity of the slowest link. */
  readonly capacity: BitsPerSecond;
  /** Shortest round trip that was seen, less what the queues held. */
  readonly baseRtt: Duration;
}

/**
 * Remembers paths by the address that they lead to, so that connections to known hosts begin under
 * control instead of with a burst.
 */
export class PathMemory {
  readonly #paths = new Map<number, KnownPath & { readonly learntAt: Instant }>();

  /** Returns the properties of the path to a host, if they are recent. */
  recall(now: Instant, address: number): KnownPath | undefined {
    const path = this.#paths.get(address);
    if (path === undefined) return undefined;
    if (now - path.learntAt <= FORGET_AFTER) return path;
    this.#paths.delete(address);
    return undefined;
  }

  /** Takes in a sample whose hops are complete and have capacities. */
  learn(now: Instant, address: number, sample: PathSample): KnownPath {
    const { hops, rtt } = sample;
    const known = this.recall(now, address);
    const idle = Math.max(0, rtt - queueingDelay(hops));
    const path = {
      capacity: slowestLink(hops),
      baseRtt: known === undefined ? idle : Math.min(idle, known.baseRtt),
      learntAt: now,
    };
    this.#paths.set(address, path);
    return path;
  }

  /** Nobody answers there any more. */
  forget(address: number): void {
    this.#paths.delete(address);
  }
}

export interface PathSample {
  readonly hops: readonly HopRecord[];
  readonly rtt: Duration;
}

export const slowestLink = (hops: readonly HopRecord[]): BitsPerSecond =>
  hops.reduce((least, { capacity }) => Math.min(least, capacity), Infinity);

export const longestQueue = (hops: readonly HopRecord[]): Bytes =>
  hops.reduce((most, { queueBytes }) => Math.max(most, queueBytes), 0);

/** Waiting time in all queues of a path together. */
export const queueingDelay = (hops: readonly HopRecord[]): Duration =>
  hops.reduce(
    (sum, { queueBytes, capacity }) => sum + (queueBytes * 8 * PS_PER_SECOND) / capacity,
    0,
  );
