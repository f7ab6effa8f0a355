import type { BitsPerSecond, Duration, Instant } from '../../common/units/units';
import { checkParameter } from '../algorithm/check-parameter';
import type { CongestionSample } from '../carrier/congestion-sample';
import { LoadMeter } from '../feedback/load-meter';
import { scrambled } from './scrambled';

/** A flow that can wait begins when the network has room for it. */
export interface AdmissionOptions {
  /** U of the bottleneck of the path, below which the flow begins. Default 0.5. */
  readonly loadBelow?: number;
  /** Longest wait in ps; the flow begins then in any case. Default: 1000 base RTTs. */
  readonly within?: Duration;
}

export type AdmissionPlan = Required<AdmissionOptions>;

const LOAD_BELOW = 0.5;
const WITHIN_RTTS = 1000;

/** Fills in defaults. Throws InputError naming the option that is out of range. */
export function checkAdmission(
  { loadBelow = LOAD_BELOW, within }: AdmissionOptions,
  baseRtt: Duration,
): AdmissionPlan {
  const ps = { low: 0, high: Number.MAX_SAFE_INTEGER, exclusiveLow: true };
  return {
    loadBelow: checkParameter('admission.loadBelow', loadBelow, {
      low: 0,
      high: 1,
      exclusiveLow: true,
    }),
    within: checkParameter('admission.within', within ?? WITHIN_RTTS * baseRtt, ps),
  };
}

interface AdmissionEnvironment {
  readonly linkRate: BitsPerSecond;
  readonly baseRtt: Duration;
  readonly maxHops: number;
  /** Spreads the requests of flows that wait for the same link; any integer. */
  readonly flow: number;
}

/** Numbers of these requests start here, beyond those that measure T. */
export const ADMISSION_PROBES_FROM = 2 ** 42;

/**
 * Between an answer and the next request lie one to four base RTTs: when a link gets free, the flows
 * that wait for it ask one after the other, and the second one finds it taken.
 */
const GAP_SPREAD = 3;
/** Wait for an answer, in base RTTs, before asking again; doubled each time up to the maximum. */
const TIMEOUT_RTTS = 3;
const BACKOFF_MAX = 64;

/**
 * Decides when a flow may begin ("traffic admission", section 9.4): it asks the switches of its path
 * again and again, and begins when the load between two answers is low. Under HPCC++ any greedy flow
 * fills a link up to eta, so flows that can wait take turns with those that cannot, and with each other.
 */
export class PathAdmission {
  readonly #plan: AdmissionPlan;
  readonly #environment: AdmissionEnvironment;
  readonly #meter: LoadMeter;
  readonly #deadline: Instant;
  #nextId = ADMISSION_PROBES_FROM;
  #answered = ADMISSION_PROBES_FROM - 1;
  #probeAt: Instant;
  #backoff = 1;

  constructor(now: Instant, plan: AdmissionPlan, environment: AdmissionEnvironment) {
    this.#plan = plan;
    this.#environment = environment;
    this.#meter = new LoadMeter(environment);
    this.#deadline = now + plan.within;
    this.#probeAt = now;
  }

  /** Latest time at which the flow begins. */
  get deadline(): Instant {
    return this.#deadline;
  }

  /** Time at which the next request is due. */
  get probeAt(): Instant {
    return this.#probeAt;
  }

  /** A request leaves now; returns its number. */
  takeProbe(now: Instant): number {
    this.#probeAt = now + TIMEOUT_RTTS * this.#environment.baseRtt * this.#backoff;
    this.#backoff = Math.min(2 * this.#backoff, BACKOFF_MAX);
    return this.#nextId++;
  }

  /** The answer to request `id`; returns whether the flow may begin. */
  handleResponse(now: Instant, id: number, sample: CongestionSample | undefined): boolean {
    if (id <= this.#answered || id >= this.#nextId) return false;
    this.#answered = id;
    this.#backoff = 1;
    this.#probeAt = now + this.#environment.baseRtt * (1 + GAP_SPREAD * this.#draw(id));
    const load = sample && this.#loadOf(now, sample);
    return load !== undefined && load < this.#plan.loadBelow;
  }

  /** Highest load of a link since the answer before; a receiver that hides links has compared them. */
  #loadOf(now: Instant, sample: CongestionSample): number | undefined {
    if (sample.kind === 'load') return sample.ratio;
    return this.#meter.measure(now, sample.telemetry, sample.isIncomplete)?.ratio;
  }

  /** Draws a number from 0 to below 1. */
  #draw(id: number): number {
    const mixed = Math.imul(this.#environment.flow, 0x9e37_79b1) + Math.imul(id, 0x85eb_ca6b);
    return scrambled(mixed) / 2 ** 32;
  }
}
