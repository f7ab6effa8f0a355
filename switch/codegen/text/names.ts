import { Identifier, isIdentifier } from './code';

/**
 * The one rule by which P4 names become JavaScript names: every run of characters that JavaScript
 * does not allow in a name becomes one underscore, and underscores at the end go:
 * `hdr.ipv4.ttl` is `hdr_ipv4_ttl`, `mpls[1].label` is `mpls_1_label`. Where that gives a word of
 * the language or starts with a digit, an underscore comes in front.
 */
function mangle(name: string): string {
  const text = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/(?<=.)_+$/, '');
  return isIdentifier(text) ? text : `_${text}`;
}

/** Hands out names that differ from one another: a name that is taken gets a number. */
export class Names {
  readonly #taken: Set<string>;
  readonly #outer: Names | undefined;
  /** The last number behind each name that is taken. PERF: thousands of names may be equal. */
  readonly #numbers = new Map<string, number>();

  /** @param outer names of an enclosing block, which are taken too. */
  constructor(taken: Iterable<string> = [], outer?: Names) {
    this.#taken = new Set(taken);
    this.#outer = outer;
  }

  unique(name: string): Identifier {
    const base = mangle(name);
    let text = base;
    if (this.#has(text)) {
      let number = this.#numbers.get(base) ?? 1;
      do text = `${base}_${++number}`;
      while (this.#has(text));
      this.#numbers.set(base, number);
    }
    this.#taken.add(text);
    return new Identifier(text);
  }

  #has(text: string): boolean {
    if (this.#taken.has(text)) return true;
    return this.#outer !== undefined && this.#outer.#has(text);
  }
}
