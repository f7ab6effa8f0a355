import type { Instant } from '../../common/units/units';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { word64Difference } from '../../common/wire/bytes';
import type { Word64 } from '../../common/wire/bytes';
import type { CoordinationPlan } from './coordination-options';
import { ReroutingOffer } from './rerouting-offer';

/** More switches than this do not ask for the same flow: a path has fewer. */
const ASKERS_MAX = 32;

/**
 * Effect of a notification on its flow. `exhausted`: no other path has helped, and adaptive routing is
 * given up for a time. `ignored`: it is out of date, or contradicts the state.
 */
export type CoordinationEffect =
  | 'tagged'
  | 'renewed'
  | 'released'
  | 'reroute'
  | 'exhausted'
  | 'ignored';

type FlowPlan = Pick<CoordinationPlan, 'holdTime' | 'markTime' | 'rerouteHold' | 'reroutes'>;

interface Asker {
  /** Sequence number of the last type 1 or 2 of this switch. */
  sequence: Word64;
  /** Time until which its type 1 holds; -Infinity after its type 2. */
  until: Instant;
}

/**
 * Requests of the network for one flow (draft-lyu-rtgwg-coordinated-cm-01 section 6.4).
 *
 *               type 1, CE mark           type 1, CE mark: later deadline
 *     free -------------------> controlled ------------------+
 *      ^ |                        |     ^                     |
 *      | +-- type 3: reroute      |     +---------------------+
 *      +--------------------------+
 *        type 2 of all who asked, or the deadline of the last one
 *
 * Each switch speaks for itself: the type 2 of one does not lift the type 1 of another. What a switch
 * sent earlier but arrives later says nothing, or a late type 1 would bring back what a type 2 ended.
 *
 * A CE mark on a packet of a free flow says that no switch of the path knew a lighter way: then "the
 * traffic turns to be CC traffic" (section 6). Marks are no level signal, so they hold for less time.
 */
export class FlowCoordination {
  readonly #plan: FlowPlan;
  readonly #offer: ReroutingOffer;
  readonly #askers = new Map<number, Asker>();
  #markedUntil: Instant = -Infinity;
  /** Infinity while the flow is free. */
  #deadline: Instant = Infinity;

  constructor(plan: FlowPlan) {
    this.#plan = plan;
    this.#offer = new ReroutingOffer(plan);
  }

  /** True if the CC indicator is set, so that congestion control acts. */
  get isControlled(): boolean {
    return this.#deadline !== Infinity;
  }

  /** True if switches may ask this host for another path. */
  get offersRerouting(): boolean {
    return this.#offer.isOpen;
  }

  /** Time to call {@link expire} and {@link offerAgain}, or Infinity. */
  get deadline(): Instant {
    return Math.min(this.#deadline, this.#offer.deadline);
  }

  handle(
    now: Instant,
    { type, senderNode, sequence }: Pick<CcmNotification, 'type' | 'senderNode' | 'sequence'>,
  ): CoordinationEffect {
    switch (type) {
      case 'control-required': {
        const until = now + this.#plan.holdTime;
        return this.#note(senderNode, sequence, until) ? this.#settle(now) : 'ignored';
      }
      case 'control-released':
        if (!this.#note(senderNode, sequence, -Infinity)) return 'ignored';
        return this.isControlled ? this.#settle(now) : 'ignored';
      case 'rerouting-required':
        return this.#reroute(now);
    }
  }

  /** The receiver saw a CE mark on a packet of the flow. */
  onMark(now: Instant): CoordinationEffect {
    this.#markedUntil = now + this.#plan.markTime;
    return this.#settle(now);
  }

  /** Returns true if the flow became free because nobody has asked for too long. */
  expire(now: Instant): boolean {
    if (now < this.#deadline) return false;
    this.#deadline = Infinity;
    this.#markedUntil = -Infinity;
    for (const asker of this.#askers.values()) asker.until = -Infinity;
    return true;
  }

  /** Returns true if the flow offers to take other paths again, having given that up. */
  offerAgain(now: Instant): boolean {
    return this.#offer.renew(now);
  }

  /** The flow is under control as long as anybody's word holds. */
  #settle(now: Instant): CoordinationEffect {
    const wasControlled = this.isControlled;
    let latest = this.#markedUntil;
    for (const { until } of this.#askers.values()) latest = Math.max(latest, until);
    this.#deadline = latest <= now ? Infinity : latest;
    if (!this.isControlled) return 'released';
    return wasControlled ? 'renewed' : 'tagged';
  }

  /** Incast is not mended by another path, so a flow that is under control keeps its own. */
  #reroute(now: Instant): CoordinationEffect {
    return this.isControlled ? 'ignored' : this.#offer.onRequest(now);
  }

  /** Returns false for what was sent before the last word of the same switch. */
  #note(node: number, sequence: Word64, until: Instant): boolean {
    const asker = this.#askers.get(node);
    if (asker === undefined) {
      if (this.#askers.size === ASKERS_MAX) this.#forgetOne();
      this.#askers.set(node, { sequence, until });
      return true;
    }
    if (word64Difference(sequence, asker.sequence) <= 0) return false;
    asker.sequence = sequence;
    asker.until = until;
    return true;
  }

  #forgetOne(): void {
    const [oldest] = [...this.#askers].sort(([, a], [, b]) => a.until - b.until);
    if (oldest !== undefined) this.#askers.delete(oldest[0]);
  }
}
