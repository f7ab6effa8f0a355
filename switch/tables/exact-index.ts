import { KeyPacker, keyValues } from './key-packer';
import type { PackedKey } from './key-packer';
import type { InstalledEntry, MatchIndex } from './match-index';

/** Exact match: a hash map over the whole key. */
export class ExactIndex implements MatchIndex {
  readonly #packer: KeyPacker;
  readonly #entries = new Map<PackedKey, InstalledEntry>();

  constructor(widths: readonly number[]) {
    this.#packer = new KeyPacker(widths.map((width) => ({ width, matchKind: 'exact' })));
  }

  add(entry: InstalledEntry): void {
    this.#entries.set(this.#packer.pack(keyValues(entry.key), 0), entry);
  }

  remove(entry: InstalledEntry): void {
    this.#entries.delete(this.#packer.pack(keyValues(entry.key), 0));
  }

  find(values: readonly bigint[]): InstalledEntry | undefined {
    return this.#entries.get(this.#packer.pack(values, 0));
  }

  findNumbers(values: Float64Array): InstalledEntry | undefined {
    return this.#entries.get(this.#packer.packNumbers(values, 0));
  }
}
