import type { HopRecord } from '../../common/hop/hop';
import type { Duration, Instant } from '../../common/units/units';
import type { BaseRttPlan, ProbedFrames } from './base-rtt';
import { PathBaseRtt } from './base-rtt';

/** Numbers of these requests start here, beyond those for the choice of a path. */
export const BASE_RTT_PROBES_FROM = 2 ** 41;

/** Wait for an answer, in T, before asking again; doubled each time up to the maximum. */
const TIMEOUT_RTTS = 3;
const BACKOFF_MAX = 64;
/** Number of probes of a known path during the window that its minimum counts for. */
const PROBES_PER_WINDOW = 40;
/** Answers may come late, but not so late that so many other requests have left since. */
const REMEMBERED = 16;
/** Changes of T by less than this share are not worth telling. */
const NOTICEABLE = 0.01;
const KNOWN_PATHS_MAX = 4096;

/** Base RTTs of the paths to the destinations of a host, as its flows have measured them. */
export class BaseRtts {
  readonly plan: BaseRttPlan;
  readonly frames: ProbedFrames;
  readonly #paths = new Map<string, PathBaseRtt>();

  constructor(plan: BaseRttPlan, frames: ProbedFrames) {
    this.plan = plan;
    this.frames = frames;
  }

  /** The path over these links, as far as it has been heard of during the last window. */
  path(now: Instant, destination: number, links: readonly HopRecord[]): PathBaseRtt {
    const hops = links.map(({ switchId, portId }) => `${switchId}.${portId}`);
    const key = [destination, ...hops].join(' ');
    const known = this.#paths.get(key);
    if (known !== undefined && now - known.notedAt <= this.plan.window) return known;
    if (this.#paths.size >= KNOWN_PATHS_MAX) this.#paths.clear();
    const fresh = new PathBaseRtt(this.plan, this.frames, links);
    this.#paths.set(key, fresh);
    return fresh;
  }
}

/**
 * Measures T for one flow by probes that take the flow's own path.
 *
 *     measuring --enough answers--> known --answer over another path--> measuring
 *
 * While it measures, the next probe leaves when the answer arrives, so that probes do not wait for
 * each other; once the path is known, for the next check of whether it is still the same. Flows to
 * the same destination share what they know: the second one needs one answer to see which path it is
 * on.
 */
export class BaseRttProber {
  readonly #known: BaseRtts;
  readonly #destination: number;
  readonly #sentAt = new Map<number, Instant>();
  #nextId = BASE_RTT_PROBES_FROM;
  #probeAt: Instant;
  #timeout: Duration;
  #backoff = 1;
  #T: Duration | undefined = undefined;

  /** @param guess at T, for the first timeout. */
  constructor(now: Instant, known: BaseRtts, flow: { destination: number; guess: Duration }) {
    this.#known = known;
    this.#destination = flow.destination;
    this.#probeAt = now;
    this.#timeout = TIMEOUT_RTTS * flow.guess;
  }

  /** Undefined until the path has been measured for the first time. */
  get T(): Duration | undefined {
    return this.#T;
  }

  /** Time at which the next probe is due. */
  get probeAt(): Instant {
    return this.#probeAt;
  }

  /** The flow's packets may take another path from now on, so it is asked at once. */
  onMoved(now: Instant): void {
    this.#probeAt = now;
  }

  /** A probe leaves now; returns its number. */
  takeProbe(now: Instant): number {
    const id = this.#nextId++;
    this.#sentAt.set(id, now);
    this.#sentAt.delete(id - REMEMBERED);
    this.#probeAt = now + this.#timeout * this.#backoff;
    this.#backoff = Math.min(2 * this.#backoff, BACKOFF_MAX);
    return id;
  }

  /**
   * The answer to a probe, with the links that it crossed. Returns T if it is known now and was not,
   * or has changed. Answers that this flow did not ask for are of no effect.
   */
  handleResponse(now: Instant, id: number, links: readonly HopRecord[]): Duration | undefined {
    const sentAt = this.#sentAt.get(id);
    if (sentAt === undefined) return undefined;
    this.#sentAt.delete(id);
    this.#backoff = 1;
    const path = this.#known.path(now, this.#destination, links);
    path.note(now, { rtt: now - sentAt, links });
    const { T } = path;
    const interval = this.#known.plan.window / PROBES_PER_WINDOW;
    this.#probeAt = T === undefined ? now : now + interval;
    const before = this.#T ?? 0;
    if (T === undefined || Math.abs(T - before) <= NOTICEABLE * before) return undefined;
    this.#T = T;
    this.#timeout = TIMEOUT_RTTS * T;
    return T;
  }
}
