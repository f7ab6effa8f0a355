import { BitCells } from './bit-cells';
import type { WordMask } from './key-words';

/** A member of a group: the bits that it compares, and a bound on its priorities. */
export interface GroupedTuple {
  readonly masks: readonly WordMask[];
  /** No entry has a larger priority. */
  priorityMax: number;
}

/** The bits of a word that members look at, and what of it their entries want. */
interface Filter extends WordMask {
  /** Members that look at just these bits. */
  users: number;
  /** Members by those bits: those with entries that match them. */
  readonly wanted: BitCells;
}

/**
 * Up to 32 tuples, of which few can hold an entry for a key: each filter crosses out those that have
 * none with the key's bits in one word (tuple pruning, Srinivasan, Suri and Varghese, 1999).
 * PERF: most keys cross out all tuples within a few filters, where each tuple would be one search.
 */
export class TupleGroup<Tuple extends GroupedTuple> {
  /** Tuples by their bits. */
  readonly tuples: (Tuple | undefined)[] = [];
  priorityMax = -Infinity;
  /** The one that crosses out the most first. */
  readonly #filters: Filter[] = [];
  #members = 0;
  /** Entries that may come until the order of the filters is looked at again. */
  #patience = 0;

  get isFull(): boolean {
    return ~this.#members === 0;
  }

  get isEmpty(): boolean {
    return this.#members === 0;
  }

  /** Members that may hold an entry for the words of a key, each as a bit. */
  candidates(words: Int32Array): number {
    let left = this.#members;
    // PERF: a filter before the only member would be a second search for the same.
    if ((left & (left - 1)) === 0) return left;
    const filters = this.#filters;
    for (let i = 0; i < filters.length && left !== 0; i++) {
      const { slot, mask, users, wanted } = filters[i] as Filter;
      if ((left & users) !== 0) left &= wanted.get((words[slot] as number) & mask) | ~users;
    }
    return left;
  }

  /** @returns the member's bit. The group is not full. */
  add(tuple: Tuple): number {
    const place = 31 - Math.clz32(~this.#members);
    const bit = 1 << place;
    this.tuples[place] = tuple;
    this.#members |= bit;
    for (const { slot, mask } of tuple.masks) this.#filter(slot, mask).users |= bit;
    return bit;
  }

  remove(bit: number): void {
    this.tuples[31 - Math.clz32(bit)] = undefined;
    this.#members &= ~bit;
    this.forget(bit);
    for (const filter of this.#filters) filter.users &= ~bit;
    const used = this.#filters.filter(({ users }) => users !== 0);
    this.#filters.splice(0, this.#filters.length, ...used);
  }

  /** A member has an entry whose key has these words. */
  note(bit: number, words: Int32Array): void {
    for (const { slot, mask, users, wanted } of this.#filters) {
      if ((users & bit) !== 0) wanted.add((words[slot] as number) & mask, bit);
    }
    if (this.#patience-- <= 0) this.#sort();
  }

  /** A member has none of the entries that were noted. */
  forget(bit: number): void {
    for (const { wanted } of this.#filters) wanted.forget(bit);
  }

  #filter(slot: number, mask: number): Filter {
    const known = this.#filters.find((each) => each.slot === slot && each.mask === mask);
    if (known !== undefined) return known;
    const filter = { slot, mask, users: 0, wanted: new BitCells() };
    this.#filters.push(filter);
    this.#patience = 0;
    return filter;
  }

  #sort(): void {
    const worth = ({ users, wanted }: Filter): number =>
      countBits(users) * Math.log2(1 + wanted.size);
    this.#filters.sort((a, b) => worth(b) - worth(a));
    this.#patience = 2 * Math.max(0, ...this.#filters.map(({ wanted }) => wanted.size));
  }
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
