import type { HopRecord } from '../../common/telemetry/hop';
import type { BitsPerSecond, Duration, Instant } from '../../common/units/units';
import { checkParameter } from '../algorithm/check-parameter';
import type { CongestionSample } from '../transport/congestion-sample';
import { LinkLoads } from './link-loads';

/** Choice among the paths that the network offers to different UDP source ports. */
export interface PathSelectionOptions {
  /** Source ports to choose from, the flow's own included; at least 2. */
  readonly paths: number;
  /** Time between two probes of the same path, in base RTTs. Default 4. */
  readonly probeRtts?: number;
  /** A path is loaded when its U is at least this. Default 0.9. */
  readonly loadedAbove?: number;
  /** For how many base RTTs the path must be loaded before the flow moves. Default 16. */
  readonly patienceRtts?: number;
  /** By how much a path must promise more than the flow has. Default 0.3. */
  readonly margin?: number;
  /** For how many base RTTs a flow stays after it moved. Default 64. */
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
    patienceRtts: checkParameter('patienceRtts', options.patienceRtts ?? 16, above0),
    margin: checkParameter('margin', options.margin ?? 0.3, { low: 0, high: 1e6 }),
    holdRtts: checkParameter('holdRtts', options.holdRtts ?? 64, above0),
  };
}

export interface PathEnvironment {
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
/** Flows hold their paths for between one and two times the configured time, in so many steps. */
const SPREAD_STEPS = 8;

/**
 * Decides when a flow leaves its path for another one (section "Path migration").
 *
 * Under HPCC++ every path with a greedy flow is nearly full, so the load of the own path says little
 * and the flow's rate says much: it moves when its path has been loaded for a while and the capacity
 * that another path has to spare clearly exceeds the rate that the flow has now. A flow that is alone
 * on its path therefore stays, and so do flows that would only change places.
 */
export class PathSelector {
  readonly #plan: PathSelectionPlan;
  readonly #baseRtt: Duration;
  readonly #holdTime: Duration;
  readonly #loads: LinkLoads;
  /** The links that each path was last seen to consist of. */
  readonly #links: (readonly HopRecord[])[];
  #current = 0;
  #nextProbe = 0;
  #nextId = PATH_PROBES_FROM;
  #probeAt: Instant;
  #heldUntil: Instant;
  #loadedSince: Instant | undefined = undefined;
  #moves = 0;

  constructor(now: Instant, plan: PathSelectionPlan, environment: PathEnvironment) {
    this.#plan = plan;
    this.#baseRtt = environment.baseRtt;
    const step = 1 + (environment.flow % SPREAD_STEPS) / SPREAD_STEPS;
    this.#holdTime = plan.holdRtts * environment.baseRtt * step;
    this.#probeAt = now;
    // The first decision needs patience only; flows that start together still differ by the spread.
    this.#heldUntil = now + plan.patienceRtts * environment.baseRtt * step;
    this.#loads = new LinkLoads(environment);
    this.#links = Array.from({ length: plan.paths }, () => []);
  }

  get current(): number {
    return this.#current;
  }

  get moves(): number {
    return this.#moves;
  }

  /** When the next probe is due. */
  get probeAt(): Instant {
    return this.#probeAt;
  }

  /** A probe leaves now: on which path, and under which number. */
  takeProbe(now: Instant): { readonly path: number; readonly id: number } {
    const path = this.#nextOther();
    const others = this.#plan.paths - 1;
    this.#probeAt = now + (this.#plan.probeRtts * this.#baseRtt) / others;
    const id = this.#nextId;
    // The number tells the path, so that no table of requests is needed.
    this.#nextId += this.#plan.paths;
    return { path, id: id + path };
  }

  /** The answer to a probe; answers that this flow did not ask for are of no effect. */
  handleResponse(now: Instant, id: number, sample: CongestionSample | undefined): void {
    if (id >= this.#nextId || sample?.kind !== 'links' || sample.isIncomplete) return;
    this.#links[(id - PATH_PROBES_FROM) % this.#plan.paths] = sample.telemetry;
    this.#loads.note(now, sample.telemetry);
  }

  /** Telemetry of the flow's own packets: which links it uses. */
  noteOwnPath(telemetry: readonly HopRecord[]): void {
    if (telemetry.length > 0) this.#links[this.#current] = telemetry;
  }

  /** The path to move to, or undefined to stay. `U` and `rate` are the flow's own. */
  decide(
    now: Instant,
    { U, rate }: { readonly U: number; readonly rate: BitsPerSecond },
  ): number | undefined {
    if (U < this.#plan.loadedAbove) {
      this.#loadedSince = undefined;
      return undefined;
    }
    this.#loadedSince ??= now;
    const patience = this.#plan.patienceRtts * this.#baseRtt;
    if (now - this.#loadedSince < patience || now < this.#heldUntil) return undefined;
    const best = this.#lightest(now, rate);
    if (best === undefined || best.spare <= rate * (1 + this.#plan.margin)) return undefined;
    return best.path;
  }

  /** The flow uses `path` from now on. */
  onMoved(now: Instant, path: number): void {
    this.#current = path;
    this.#moves++;
    this.#heldUntil = now + this.#holdTime;
    this.#loadedSince = undefined;
  }

  #nextOther(): number {
    do this.#nextProbe = (this.#nextProbe + 1) % this.#plan.paths;
    while (this.#nextProbe === this.#current);
    return this.#nextProbe;
  }

  #lightest(
    now: Instant,
    rate: BitsPerSecond,
  ): { readonly path: number; readonly spare: BitsPerSecond } | undefined {
    const since = now - STALE_INTERVALS * this.#plan.probeRtts * this.#baseRtt;
    const own = { links: this.#links[this.#current] ?? [], rate };
    let best: { readonly path: number; readonly spare: BitsPerSecond } | undefined;
    this.#links.forEach((links, path) => {
      const spare = path === this.#current ? undefined : this.#loads.spare(links, own, since);
      if (spare !== undefined && spare > (best?.spare ?? 0)) best = { path, spare };
    });
    return best;
  }
}
