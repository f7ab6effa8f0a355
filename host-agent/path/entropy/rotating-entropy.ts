import type { EntropySource, EntropySpace } from './entropy-source';

/**
 * Round robin: the entropies in turn, from one on that is drawn for the flow. Switches hash them, so that
 * the paths take turns as far as their number is small against that of the entropies.
 */
export class RotatingEntropy implements EntropySource {
  readonly #space: EntropySpace;
  #next: number;

  constructor(space: EntropySpace) {
    this.#space = space;
    this.#next = space.random.below(space.count);
  }

  take(): number {
    const entropy = this.#next;
    this.#next = (entropy + 1) % this.#space.count;
    return this.#space.portOf(entropy);
  }
}
