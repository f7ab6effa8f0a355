/** Versions of a place in handles, so that entries that had the same place differ. */
const VERSIONS = 256;
const PLACES = 2 ** 24;

/** Why a handle leads to no entry. */
type DeadHandle = 'unknown' | 'expired';

/**
 * Numbers that stand for the entries of a table in bmv2's Thrift interface: the lowest free place,
 * and above it how often the place has been left, so that an old handle does not hit a new entry.
 */
export class EntryHandles<T> {
  readonly #entries: (T | undefined)[] = [];
  /** Number of times that each place has been left. */
  readonly #versions: number[] = [];
  /** No place below this one is free. */
  #firstFree = 0;

  /** The handle of a new entry. */
  take(entry: T): number {
    let place = this.#firstFree;
    while (this.#entries[place] !== undefined) place += 1;
    this.#firstFree = place + 1;
    if (place === this.#versions.length) this.#versions.push(0);
    this.#entries[place] = entry;
    return (this.#versions[place] ?? 0) * PLACES + place;
  }

  /** The entry is gone. */
  release(handle: number): void {
    const place = handle % PLACES;
    if (this.#entries[place] === undefined) return;
    this.#entries[place] = undefined;
    this.#versions[place] = ((this.#versions[place] ?? 0) + 1) % VERSIONS;
    this.#firstFree = Math.min(this.#firstFree, place);
  }

  /** Forgets all entries and their places. */
  clear(): void {
    this.#entries.length = 0;
    this.#versions.length = 0;
    this.#firstFree = 0;
  }

  find(handle: number): T | DeadHandle {
    const place = handle % PLACES;
    const entry = this.#entries[place];
    if (entry === undefined) return 'unknown';
    return this.#versions[place] === Math.floor(handle / PLACES) ? entry : 'expired';
  }
}
