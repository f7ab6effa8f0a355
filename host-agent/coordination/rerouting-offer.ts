import type { Duration, Instant } from '../../common/units/units';

/** Ports that a flow tries on request; asked again, it has none left that is of use. */
const TRIES = 2;
/** A flow that has given up waits twice as long each time, up to so many times `holdTime`. */
const REST_MAX = 64;

export interface ReroutingPlan {
  /** True if type 3 makes a flow leave from another source port. */
  readonly reroutes: boolean;
  /** Time for which a flow then stays on its path. */
  readonly rerouteHold: Duration;
  /** Requests further apart than this are about different congestion. */
  readonly holdTime: Duration;
}

/**
 * Decides if a source host is a point of adaptive routing for one flow: it is while it has other ports to
 * try. A flow that is asked again and again would only go in circles, and would never be asked to slow
 * down, because switches ask instead of marking for as long as somebody upstream offers help
 * (draft-lyu-rtgwg-coordinated-cm-01 section 6.3.4: "no available new path either locally or upstream").
 */
export class ReroutingOffer {
  readonly #plan: ReroutingPlan;
  #tries = 0;
  #stayUntil: Instant = -Infinity;
  #lastMove: Instant = -Infinity;
  /** Time at which help is offered again; Infinity while it is. */
  #deadline: Instant = Infinity;
  /** Rest without an offer, in `holdTime`. */
  #rest = 1;

  constructor(plan: ReroutingPlan) {
    this.#plan = plan;
  }

  /** True if the AR indicator of the flow's packets names this host. */
  get isOpen(): boolean {
    return this.#plan.reroutes && this.#deadline === Infinity;
  }

  /** Time to call {@link renew}, or Infinity. */
  get deadline(): Instant {
    return this.#deadline;
  }

  /** A switch knows no light path. `exhausted`: nor does this host, which gives AR up for a time. */
  onRequest(now: Instant): 'reroute' | 'exhausted' | 'ignored' {
    const { holdTime, rerouteHold } = this.#plan;
    if (!this.isOpen || now < this.#stayUntil) return 'ignored';
    const calm = now - this.#lastMove;
    if (calm > holdTime) this.#tries = 0;
    if (calm > REST_MAX * holdTime) this.#rest = 1;
    if (this.#tries === TRIES) {
      this.#deadline = now + this.#rest * holdTime;
      this.#rest = Math.min(2 * this.#rest, REST_MAX);
      return 'exhausted';
    }
    this.#tries++;
    this.#lastMove = now;
    this.#stayUntil = now + rerouteHold;
    return 'reroute';
  }

  /** Returns true if help is offered again. */
  renew(now: Instant): boolean {
    if (now < this.#deadline) return false;
    this.#deadline = Infinity;
    this.#tries = 0;
    return true;
  }
}
