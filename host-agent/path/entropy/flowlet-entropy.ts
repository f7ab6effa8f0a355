import type { Duration, Instant } from '../../../common/units/units';
import { drawnPort } from './entropy-source';
import type { EntropySource, EntropySpace } from './entropy-source';

/**
 * Flowlets: a new entropy after each pause that is at least as long as the gap. With a gap above the
 * difference between the delays of two paths, packets of a flow never overtake each other.
 */
export class FlowletEntropy implements EntropySource {
  readonly #space: EntropySpace;
  readonly #gap: Duration;
  #port: number;
  #sentAt: Instant = Infinity;

  constructor(space: EntropySpace, gap: Duration) {
    this.#space = space;
    this.#gap = gap;
    this.#port = drawnPort(space);
  }

  take(now: Instant): number {
    if (now - this.#sentAt >= this.#gap) this.#port = drawnPort(this.#space);
    this.#sentAt = now;
    return this.#port;
  }
}
