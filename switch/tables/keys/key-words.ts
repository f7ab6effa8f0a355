const WORD_BITS = 32;
const WORD = 2 ** WORD_BITS;

/** Some bits of a word of a key. */
export interface WordMask {
  /** Index among the words of the key. */
  readonly slot: number;
  readonly mask: number;
}

/** Cuts the fields of a key into words of 32 bits, from the lowest; so one code serves all widths. */
export class KeyWords {
  /** Words of the key that was cut last. */
  readonly words: Int32Array;
  readonly #counts: readonly number[];

  constructor(widths: readonly number[]) {
    this.#counts = widths.map((width) => Math.ceil(width / WORD_BITS));
    this.words = new Int32Array(this.#counts.reduce((sum, count) => sum + count, 0));
  }

  /** @param values of fields of at most 52 bits each. */
  cutNumbers(values: Float64Array): Int32Array {
    const { words } = this;
    const counts = this.#counts;
    let slot = 0;
    for (let place = 0; place < counts.length; place++) {
      const value = values[place] as number;
      words[slot++] = value;
      if (counts[place] === 2) words[slot++] = Math.floor(value / WORD);
    }
    return words;
  }

  cut(values: readonly bigint[]): Int32Array {
    let slot = 0;
    this.#counts.forEach((count, place) => {
      for (let word = 0; word < count; word++) this.words[slot++] = wordOf(values[place], word);
    });
    return this.words;
  }

  /** The words in which masks of the fields have bits, with those bits. */
  masks(masks: readonly bigint[]): WordMask[] {
    return [...this.cut(masks)]
      .map((mask, slot) => ({ slot, mask }))
      .filter(({ mask }) => mask !== 0);
  }
}

const wordOf = (value: bigint | undefined, word: number): number =>
  Number(BigInt.asIntN(WORD_BITS, (value ?? 0n) >> BigInt(WORD_BITS * word)));
