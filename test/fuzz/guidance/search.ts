import type { Random } from '../../../common/random/random';
import type { TakeInput } from '../target';
import { changed } from './change';
import type { Material } from './change';
import type { Hint, Reach } from './reach';

/** An input that reached something new, and what it was compared with. */
interface Good {
  readonly input: Uint8Array;
  readonly hints: readonly Hint[];
}

/** One in so many inputs is a change of the newest ones, which are the least explored. */
const NEWEST_IN = 2;
const NEWEST = 32;

export interface SearchOptions {
  readonly take: TakeInput;
  readonly reach: Reach;
  readonly random: Random;
  readonly bytesMax: number;
  readonly words: readonly Uint8Array[];
}

/** Looks for inputs that reach new branches, by changes of those that did. */
export class Search {
  readonly #options: SearchOptions;
  readonly #good: Good[] = [];
  readonly #material: Material;

  constructor(options: SearchOptions) {
    this.#options = options;
    const { random, bytesMax, words } = options;
    this.#material = { random, bytesMax, words, other: () => this.#any().input };
  }

  /** Inputs that each reached something new when they were tried. */
  get inputs(): readonly Uint8Array[] {
    return this.#good.map(({ input }) => input);
  }

  /** The next input to try. */
  next(): Uint8Array {
    const { input, hints } = this.#any();
    return changed(input, this.#material, hints);
  }

  /** Tries an input; later ones may be changes of it. @throws what the target throws. */
  try(input: Uint8Array): void | Promise<void> {
    const pending = this.#options.take(input);
    if (pending !== undefined) return pending.then(() => this.#note(input));
    this.#note(input);
  }

  /** The shortest of these inputs that together reach what all reach. */
  async smallest(inputs: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const { take, reach } = this.#options;
    reach.clear();
    const kept: Uint8Array[] = [];
    for (const input of [...inputs].sort((a, b) => a.length - b.length)) {
      await take(input);
      if (reach.takesNew()) kept.push(input);
    }
    return kept;
  }

  #note(input: Uint8Array): void {
    const { reach, take } = this.#options;
    if (!reach.takesNew()) return;
    const hints = reach.hintsOf(() => void take(input));
    // The reach of the second run is known.
    reach.takesNew();
    this.#good.push({ input: input.slice(), hints });
  }

  #any(): Good {
    const { random } = this.#options;
    const { length } = this.#good;
    const from = random.below(NEWEST_IN) === 0 ? Math.max(0, length - NEWEST) : 0;
    return this.#good[from + random.below(length - from)] ?? NOTHING;
  }
}

const NOTHING: Good = { input: new Uint8Array(), hints: [] };
