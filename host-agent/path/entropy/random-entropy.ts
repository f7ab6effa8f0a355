import { drawnPort } from './entropy-source';
import type { EntropySource, EntropySpace } from './entropy-source';

/** Random spray: each packet has an entropy of its own, drawn without memory. */
export class RandomEntropy implements EntropySource {
  readonly #space: EntropySpace;

  constructor(space: EntropySpace) {
    this.#space = space;
  }

  take(): number {
    return drawnPort(this.#space);
  }
}
