import { KeyPacker } from './keys/key-packer';
import { SplittingMap } from './keys/splitting-map';
import type { KeyField } from '../../common/p4runtime/key-field';
import type { PackedKey, PackedPart } from './keys/key-packer';
import type { InstalledEntry, MatchIndex } from './match-index';

/** All entries whose prefixes have the same length. */
interface Bucket {
  readonly prefixLength: number;
  readonly free: number;
  readonly entries: SplittingMap<PackedKey, InstalledEntry>;
}

/**
 * Longest prefix match on one field, exact match on the others: a hash map per prefix length,
 * searched from the longest on.
 * PERF: a lookup costs one map access per prefix length in use; routing tables use few.
 */
export class LpmIndex implements MatchIndex {
  readonly #packer: KeyPacker;
  readonly #width: number;
  #buckets: readonly Bucket[] = [];

  constructor(parts: readonly PackedPart[]) {
    this.#packer = new KeyPacker(parts);
    this.#width = parts.find((part) => part.matchKind === 'lpm')?.width ?? 0;
  }

  add(entry: InstalledEntry): void {
    const bucket = this.#bucket(prefixLengthOf(entry.key));
    bucket.entries.set(this.#packer.packKey(entry.key, bucket.free), entry);
  }

  remove(entry: InstalledEntry): void {
    const bucket = this.#bucket(prefixLengthOf(entry.key));
    bucket.entries.delete(this.#packer.packKey(entry.key, bucket.free));
    if (bucket.entries.size > 0) return;
    this.#buckets = this.#buckets.filter((other) => other !== bucket);
  }

  candidate(key: readonly KeyField[]): InstalledEntry | undefined {
    const prefixLength = prefixLengthOf(key);
    const bucket = this.#buckets.find((each) => each.prefixLength === prefixLength);
    return bucket?.entries.get(this.#packer.packKey(key, bucket.free));
  }

  find(values: readonly bigint[]): InstalledEntry | undefined {
    for (const bucket of this.#buckets) {
      const entry = bucket.entries.get(this.#packer.pack(values, bucket.free));
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  findNumbers(values: Float64Array): InstalledEntry | undefined {
    for (const bucket of this.#buckets) {
      const entry = bucket.entries.get(this.#packer.packNumbers(values, bucket.free));
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  #bucket(prefixLength: number): Bucket {
    const present = this.#buckets.find((bucket) => bucket.prefixLength === prefixLength);
    if (present !== undefined) return present;
    const free = this.#width - prefixLength;
    const bucket = { prefixLength, free, entries: new SplittingMap<PackedKey, InstalledEntry>() };
    this.#buckets = [...this.#buckets, bucket].sort((a, b) => b.prefixLength - a.prefixLength);
    return bucket;
  }
}

function prefixLengthOf(key: readonly KeyField[]): number {
  for (const field of key) if (field.kind === 'lpm') return field.prefixLength;
  return 0;
}
