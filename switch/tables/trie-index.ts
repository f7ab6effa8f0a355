import { assert } from '../../common/assert';
import type { InstalledEntry, MatchIndex } from './match-index';
import { PrefixTrie } from './keys/prefix-trie';
import type { Prefix } from './keys/prefix-trie';
import { SplittingMap } from './keys/splitting-map';
import type { KeyField } from '../../common/p4runtime/key-field';

/** The widest field that the trie takes. */
export const TRIE_WIDTH_MAX = 32;

/** Longest prefix match on one field of at most 32 bits. */
export class TrieIndex implements MatchIndex {
  readonly #trie = new PrefixTrie();
  /** Left-aligns values of narrower fields. */
  readonly #shift: number;
  /** Entries by number; numbers count from 1 and are used again. */
  readonly #entries: (InstalledEntry | undefined)[] = [undefined];
  readonly #freeIds: number[] = [];
  readonly #width: number;
  /**
   * Numbers by prefix, of each length that there has been, without those of the whole field, which are most: no prefix is
   * longer, so the trie itself knows them, and they cover no other. PERF: keys of 32 bits with a sign are hashed in a third
   * of the time of others.
   */
  readonly #ids = new Array<SplittingMap<number, number> | undefined>(TRIE_WIDTH_MAX);

  constructor(width: number) {
    this.#width = width;
    assert(width >= 1 && width <= TRIE_WIDTH_MAX, `a trie takes 32 bits, but not ${width}`);
    this.#shift = TRIE_WIDTH_MAX - width;
  }

  add(entry: InstalledEntry): void {
    const prefix = this.#prefixOf(entry.key);
    const id = this.#freeIds.pop() ?? this.#entries.length;
    this.#entries[id] = entry;
    if (prefix.length < this.#width) {
      const ids = (this.#ids[prefix.length] ??= new SplittingMap<number, number>());
      ids.set(prefix.bits | 0, id);
    }
    this.#trie.insert(prefix, id);
  }

  remove(entry: InstalledEntry): void {
    const prefix = this.#prefixOf(entry.key);
    const id = this.#idOf(prefix);
    assert(id !== undefined, 'an entry that is removed was added');
    this.#ids[prefix.length]?.delete(prefix.bits | 0);
    this.#trie.remove(prefix, id, this.#coverOf(prefix));
    this.#entries[id] = undefined;
    this.#freeIds.push(id);
  }

  candidate(key: readonly KeyField[]): InstalledEntry | undefined {
    if (key[0]?.kind !== 'lpm') return undefined;
    const id = this.#idOf(this.#prefixOf(key));
    return id === undefined ? undefined : this.#entries[id];
  }

  /**
   * The number of a prefix. PERF: the trie knows it, or that there is none, unless a longer prefix begins with the same
   * address; the hash of a large table is in no cache.
   */
  #idOf({ bits, length }: Prefix): number | undefined {
    const longest = this.#trie.find(bits);
    const found = this.#trie.lengthOf(longest);
    if (found > length) return this.#ids[length]?.get(bits | 0);
    return found === length && longest !== 0 ? longest : undefined;
  }

  find(values: readonly bigint[]): InstalledEntry | undefined {
    return this.#entries[this.#trie.find(Number(values[0] ?? 0n) << this.#shift)];
  }

  findNumbers(values: Float64Array): InstalledEntry | undefined {
    return this.#entries[this.#trie.find((values[0] as number) << this.#shift)];
  }

  /** The longest shorter prefix that contains this one. */
  #coverOf({ bits, length }: Prefix): number {
    for (let shorter = length - 1; shorter >= 0; shorter--) {
      const ids = this.#ids[shorter];
      if (ids === undefined || ids.size === 0) continue;
      const mask = shorter === 0 ? 0 : -1 << (TRIE_WIDTH_MAX - shorter);
      const id = ids.get(bits & mask);
      if (id !== undefined) return id;
    }
    return 0;
  }

  #prefixOf([field]: readonly KeyField[]): Prefix {
    assert(field?.kind === 'lpm', 'the only field of the key is matched by prefix');
    return { bits: (Number(field.value) << this.#shift) >>> 0, length: field.prefixLength };
  }
}
