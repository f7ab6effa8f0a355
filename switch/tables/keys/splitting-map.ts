/**
 * Entries of a part beyond which it is split. PERF: that takes half a millisecond, and so does a Map of
 * JavaScript that doubles on the way there.
 */
const PART_MAX = 4096;
/** Parts are split at most so often; more than 2^16 of them are not worth their memory. */
const DEPTH_MAX = 16;
const WORD = 2 ** 32;

interface Part<Key, Value> {
  /** Number of low bits of their hashes that its keys have in common. */
  readonly depth: number;
  readonly entries: Map<Key, Value>;
}

/**
 * A map of any size that grows a little at a time: a Map of JavaScript that doubles moves all entries
 * at once, which takes 50 ms with half a million. Here a part that is full is split in two (Fagin,
 * Nievergelt, Pippenger and Strong, "Extendible hashing", 1979).
 * PERF: a map of one part costs no hash.
 */
export class SplittingMap<Key extends number | bigint, Value> {
  /** Parts by the low bits of a hash; a part stands at all places that end in its bits. */
  #parts: Part<Key, Value>[] = [{ depth: 0, entries: new Map<Key, Value>() }];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    return this.#partOf(key).entries.get(key);
  }

  set(key: Key, value: Value): void {
    const part = this.#partOf(key);
    const before = part.entries.size;
    part.entries.set(key, value);
    this.#size += part.entries.size - before;
    if (part.entries.size > PART_MAX && part.depth < DEPTH_MAX) this.#split(part, hashOf(key));
  }

  delete(key: Key): void {
    if (this.#partOf(key).entries.delete(key)) this.#size -= 1;
  }

  /** In no particular order. */
  *values(): Iterable<Value> {
    for (const { entries } of new Set(this.#parts)) yield* entries.values();
  }

  #partOf(key: Key): Part<Key, Value> {
    const parts = this.#parts;
    const place = parts.length === 1 ? 0 : hashOf(key) & (parts.length - 1);
    return parts[place] as Part<Key, Value>;
  }

  #split({ depth, entries }: Part<Key, Value>, hash: number): void {
    if (2 ** depth === this.#parts.length) this.#parts = [...this.#parts, ...this.#parts];
    const bit = 1 << depth;
    const halves = [0, 1].map(() => ({ depth: depth + 1, entries: new Map<Key, Value>() }));
    for (const [key, value] of entries) {
      halves[(hashOf(key) & bit) === 0 ? 0 : 1]?.entries.set(key, value);
    }
    for (let place = hash & (bit - 1); place < this.#parts.length; place += bit) {
      this.#parts[place] = halves[(place & bit) === 0 ? 0 : 1] as Part<Key, Value>;
    }
  }
}

/** All bits of the key count. */
export function hashOf(key: number | bigint): number {
  if (typeof key === 'number') return mix(key | 0, Math.floor(key / WORD));
  let hash = 0;
  for (let rest = key; rest !== 0n; rest >>= 32n) {
    hash = mix(hash, Number(BigInt.asUintN(32, rest)));
  }
  return hash;
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(Math.imul(hash, 0x85eb_ca6b) ^ word, 0x9e37_79b1);
  return mixed ^ (mixed >>> 15);
}
