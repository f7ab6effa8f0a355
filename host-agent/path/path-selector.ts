import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Duration, Instant } from '../../common/units/units';
import { checkParameter } from '../algorithm/check-parameter';
import type { CongestionSample } from '../carrier/congestion-sample';
import { CandidatePaths } from './candidate-paths';
import { LinkLoads } from './link-loads';
import { scrambled } from './scrambled';

/** Choice among the paths that the network offers to different UDP source ports. */
export interface PathSelectionOptions {
  /** Distinct paths to choose among, the flow's own included; at least 2. */
  readonly paths: number;
  /** Time between two probes of the same path, in base RTTs. Default 4. */
  readonly probeRtts?: number;
  /** A path is loaded when its U is at least this. Default 0.9. */
  readonly loadedAbove?: number;
  /** Base RTTs, up to four times that, for which the path must be loaded first. Default 8. */
  readonly patienceRtts?: number;
  /** Margin by which a path must promise more than the flow has. Default 0.3. */
  readonly margin?: number;
  /** Base RTTs for which a flow stays after it moved. Default 64. */
  readonly holdRtts?: number;
}

export type PathSelectionPlan = Required<PathSelectionOptions>;

/** Fills in defaults. Throws InputError naming the option that is out of range. */
export function checkPathSelection(options: PathSelectionOptions): PathSelectionPlan {
  const above0 = { low: 0, high: 1e6, exclusiveLow: true };
  return {
    paths: checkParameter('paths', options.paths, { low: 2, high: 64, integer: true }),
    probeRtts: checkParameter('probeRtts', options.probeRtts ?? 4, above0),
    loadedAbove: checkParameter('loadedAbove', options.loadedAbove ?? 0.9, above0),
    patienceRtts: checkParameter('patienceRtts', options.patienceRtts ?? 8, above0),
    margin: checkParameter('margin', options.margin ?? 0.3, { low: 0, high: 1e6 }),
    holdRtts: checkParameter('holdRtts', options.holdRtts ?? 64, above0),
  };
}

interface PathEnvironment {
  readonly linkRate: BitsPerSecond;
  readonly baseRtt: Duration;
  readonly maxHops: number;
  /** Spreads the decisions of flows that would otherwise all move at once; any integer. */
  readonly flow: number;
}

/** Numbers of requests start here, far beyond those that serve the congestion control. */
export const PATH_PROBES_FROM = 2 ** 40;

/** A measurement is of no use after so many intervals between probes. */
const STALE_INTERVALS = 3;
/** The answer that a decision is based on must be this fresh, in base RTTs. */
const FRESH_RTTS = 2;
/** Flows of one path wait for between one and four times their patience: only one has to move. */
const PATIENCE_SPREAD = 3;
/**
 * A path that is less loaded for a shorter time, in base RTTs, still counts as loaded: when one of its
 * flows leaves, U falls until the others have taken what it had. If they had to begin their patience
 * anew each time, they would leave one by one, each a whole patience after the other.
 */
const DIP_RTTS = 8;
/** Paths that promise nearly as much as the best one are as good. */
const AS_GOOD = 0.8;

/**
 * Decides when a flow leaves its path for another one (section "Path migration").
 *
 * Under HPCC++ every path with a greedy flow is nearly full, so the load of the own path says little
 * and the flow's rate says much: it moves when its path has been loaded for a while and the capacity
 * that another path has to spare clearly exceeds the rate that the flow has now. A flow that is alone
 * on its path therefore stays, and so do flows that would only change places.
 *
 * To the outside, a path is the number of its source port, counted from the flow's first one.
 */
export class PathSelector {
  readonly #plan: PathSelectionPlan;
  #baseRtt: Duration;
  readonly #flow: number;
  readonly #loads: LinkLoads;
  readonly #paths: CandidatePaths;
  /** Path that has been probed before a decision. */
  #askedFor: number | undefined = undefined;
  #current = 0;
  /** Path to which the flow is moving. Its port is not given up meanwhile. */
  #goingTo: number | undefined = undefined;
  #nextProbe = 0;
  #nextId = PATH_PROBES_FROM;
  #probeAt: Instant;
  #heldUntil: Instant;
  #loadedSince: Instant | undefined = undefined;
  /** Time at which the path was last seen loaded. */
  #loadedAt: Instant = -Infinity;
  #moves = 0;

  constructor(now: Instant, plan: PathSelectionPlan, environment: PathEnvironment) {
    this.#plan = plan;
    this.#baseRtt = environment.baseRtt;
    this.#flow = environment.flow;
    this.#probeAt = now;
    // The first decision needs patience only.
    this.#heldUntil = now;
    this.#loads = new LinkLoads(environment);
    this.#paths = new CandidatePaths(plan.paths);
  }

  /** T was measured, or has changed: waits are told in it. */
  onBaseRtt(baseRtt: Duration): void {
    this.#baseRtt = baseRtt;
  }

  get current(): number {
    return this.#paths.portOf(this.#current);
  }

  get moves(): number {
    return this.#moves;
  }

  /** Time at which the next probe is due, or Infinity. */
  get probeAt(): Instant {
    return this.#probeAt;
  }

  /** A probe leaves now: on which path, and under which number. */
  takeProbe(now: Instant): { readonly path: number; readonly id: number } {
    const next = this.#paths.nextToProbe(this.#nextProbe, this.#current);
    assert(next !== undefined, 'a probe is due only when there is a path to probe');
    this.#nextProbe = next;
    this.#scheduleProbe(now);
    // The number tells the candidate, so that no table of requests is needed.
    const id = this.#nextId + next;
    this.#nextId += this.#plan.paths;
    return { path: this.#paths.portOf(next), id };
  }

  /** The answer to a probe; answers that this flow did not ask for are of no effect. */
  handleResponse(now: Instant, id: number, sample: CongestionSample | undefined): void {
    if (id >= this.#nextId || sample?.kind !== 'links' || sample.isIncomplete) return;
    this.#loads.note(now, sample.telemetry);
    const path = (id - PATH_PROBES_FROM) % this.#plan.paths;
    if (path === this.#askedFor) this.#askedFor = undefined;
    if (path === this.#current || path === this.#goingTo) return;
    const answer = { id, nextId: this.#nextId, links: sample.telemetry };
    if (this.#paths.noteAnswer(path, answer) !== 'replaced') return;
    // The next port is tried at once: until it is known, the flow knows of fewer paths.
    this.#probeNext(now, path);
  }

  /** Telemetry of the flow's own packets: which links it uses. */
  noteOwnPath(now: Instant, telemetry: readonly HopRecord[]): void {
    if (telemetry.length === 0 || this.#goingTo !== undefined) return;
    this.#paths.noteOwn(this.#current, telemetry, this.#nextId);
    // A change of the path in use may give candidates back.
    if (this.#probeAt === Infinity) this.#scheduleProbe(now);
  }

  /** The path to move to, or undefined to stay. `U` and `rate` are the flow's own. */
  decide(
    now: Instant,
    { U, rate }: { readonly U: number; readonly rate: BitsPerSecond },
  ): number | undefined {
    if (!this.#isLoadedFor(now, U) || now < this.#heldUntil) return undefined;
    const path = this.#lightest(now, rate);
    if (path === undefined) return undefined;
    if (!this.#isFresh(now, path)) {
      // Others may have moved there since; a probe tells.
      if (this.#askedFor !== path) this.#probeNext(now, path);
      this.#askedFor = path;
      return undefined;
    }
    this.#goingTo = path;
    return this.#paths.portOf(path);
  }

  /** The flow uses `path` from now on. */
  onMoved(now: Instant, path: number): void {
    const index = this.#paths.indexOf(path);
    assert(index >= 0, 'a flow moves to where it was told to');
    this.#current = index;
    this.#goingTo = undefined;
    this.#moves++;
    this.#heldUntil = now + this.#plan.holdRtts * this.#baseRtt * (1 + this.#draw());
    this.#loadedSince = undefined;
  }

  /** True if the path is loaded, and has been for as long as the flow is patient. */
  #isLoadedFor(now: Instant, U: number): boolean {
    if (U < this.#plan.loadedAbove) return false;
    if (now - this.#loadedAt > DIP_RTTS * this.#baseRtt) this.#loadedSince = undefined;
    this.#loadedAt = now;
    this.#loadedSince ??= now;
    const spread = 1 + PATIENCE_SPREAD * this.#draw();
    return now - this.#loadedSince >= this.#plan.patienceRtts * this.#baseRtt * spread;
  }

  /** Each of the other paths is probed once per interval. */
  #scheduleProbe(
    now: Instant,
    wait = (this.#plan.probeRtts * this.#baseRtt) / this.#others(),
  ): void {
    const next = this.#paths.nextToProbe(this.#nextProbe, this.#current);
    this.#probeAt = next === undefined ? Infinity : now + wait;
  }

  #probeNext(now: Instant, path: number): void {
    this.#nextProbe = path === 0 ? this.#plan.paths - 1 : path - 1;
    this.#scheduleProbe(now, 0);
  }

  #others(): number {
    return this.#plan.paths - 1;
  }

  /** Draws a number from 0 to below 1, another one for each flow and after each move. */
  #draw(): number {
    return this.#seed() / 2 ** 32;
  }

  #seed(): number {
    const mixed = Math.imul(this.#flow, 0x9e37_79b1) + Math.imul(this.#moves, 0x85eb_ca6b);
    return mixed >>> 0;
  }

  #isFresh(now: Instant, path: number): boolean {
    const since = now - FRESH_RTTS * this.#baseRtt;
    return this.#loads.spare(this.#paths.linksOf(path), NOTHING_OWN, since) !== undefined;
  }

  /** One of the paths that promise clearly more than the flow has, and nearly as much as the best. */
  #lightest(now: Instant, rate: BitsPerSecond): number | undefined {
    const since = now - STALE_INTERVALS * this.#plan.probeRtts * this.#baseRtt;
    const own = { links: this.#paths.linksOf(this.#current), rate };
    const spares = Array.from({ length: this.#plan.paths }, (_, path) =>
      path === this.#current ? 0 : (this.#loads.spare(this.#paths.linksOf(path), own, since) ?? 0),
    );
    const enough = Math.max(rate * (1 + this.#plan.margin), AS_GOOD * Math.max(...spares));
    const good = spares.flatMap((spare, path) => (spare > enough ? [path] : []));
    // Flows that decide at the same time shall not all choose the same one. They have nearly equal
    // draws, so the choice needs another one.
    return good[scrambled(this.#seed()) % good.length];
  }
}

const NOTHING_OWN = { links: [], rate: 0 } as const;
