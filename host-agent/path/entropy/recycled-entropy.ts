import type { Duration, Instant } from '../../../common/units/units';
import { drawnPort } from './entropy-source';
import type { EntropySource, EntropySpace } from './entropy-source';

/** Entropies that are remembered, as in the paper. */
const CACHE_SIZE = 8;
/** Round trips for which a flow keeps to what it remembers once a path seems to have failed. */
const FREEZING_RTTS = 10;

/** Facts about the flow that REPS counts in. */
export interface RecycledFlow {
  readonly baseRtt: Duration;
  /** Full packets in one bandwidth-delay product. */
  readonly packetsInBdp: number;
}

/**
 * REPS, recycled entropies (Bonato et al., arXiv 2407.21625): an entropy whose acknowledgement has come back
 * without congestion is used once more; without such a one the packet draws a new entropy. So traffic leaves
 * congested and failed paths without anybody knowing which paths there are.
 *
 *     first BDP --------> draw          an entropy to use again? --yes--> the oldest such
 *                                              |no
 *                                       frozen after a timeout? --yes--> the cache in a circle
 *                                              |no
 *                                             draw
 */
export class RecycledEntropy implements EntropySource {
  readonly #space: EntropySpace;
  readonly #flow: RecycledFlow;
  readonly #ports: number[] = [];
  readonly #isFresh: boolean[] = [];
  /** Place of the next entry. */
  #head = 0;
  #fresh = 0;
  /** Packets that still draw, whatever is remembered. */
  #exploring: number;
  #frozenUntil: Instant = -Infinity;
  #isFrozen = false;

  constructor(space: EntropySpace, flow: RecycledFlow) {
    this.#space = space;
    this.#flow = flow;
    this.#exploring = flow.packetsInBdp;
  }

  take(): number {
    const mayReuse = this.#fresh > 0 || (this.#isFrozen && this.#ports.length > 0);
    if (this.#exploring > 0 || !mayReuse) {
      if (this.#exploring > 0) this.#exploring--;
      return drawnPort(this.#space);
    }
    const size = this.#ports.length;
    // Frozen without a fresh one, the cache goes round.
    const isFresh = this.#fresh > 0;
    const at = isFresh ? (this.#head - this.#fresh + CACHE_SIZE) % CACHE_SIZE : this.#head % size;
    if (isFresh) this.#fresh--;
    else this.#head = (at + 1) % CACHE_SIZE;
    this.#isFresh[at] = false;
    return this.#ports[at] as number;
  }

  handleReturn(now: Instant, sourcePort: number, isCongested: boolean): void {
    if (isCongested) return;
    if (this.#isFresh[this.#head] !== true) this.#fresh++;
    this.#ports[this.#head] = sourcePort;
    this.#isFresh[this.#head] = true;
    this.#head = (this.#head + 1) % CACHE_SIZE;
    if (!this.#isFrozen || now < this.#frozenUntil) return;
    this.#isFrozen = false;
    this.#exploring = this.#flow.packetsInBdp;
  }

  handleTimeout(now: Instant): void {
    if (this.#isFrozen || this.#exploring > 0) return;
    this.#isFrozen = true;
    this.#frozenUntil = now + FREEZING_RTTS * this.#flow.baseRtt;
  }
}
