/** Bits of a handle that tell entries apart which have had the same place, one after the other. */
const VERSIONS = 256;
const PLACES = 2 ** 24;

/** Why a handle leads to no entry. */
type DeadHandle = 'unknown' | 'expired';

/**
 * Numbers that stand for the entries of a table in bmv2's Thrift interface: the lowest free place,
 * and above it how often the place has been left, so that an old handle does not hit a new entry.
 */
export class EntryHandles<T> {
  readonly #places: { version: number; entry: T | undefined }[] = [];
  /** No place below this one is free. */
  #firstFree = 0;

  /** The handle of a new entry. */
  take(entry: T): number {
    let place = this.#firstFree;
    while (this.#places[place]?.entry !== undefined) place += 1;
    this.#firstFree = place + 1;
    const version = this.#places[place]?.version ?? 0;
    this.#places[place] = { version, entry };
    return version * PLACES + place;
  }

  /** The entry is gone. */
  release(handle: number): void {
    const place = this.#places[handle % PLACES];
    if (place === undefined) return;
    place.entry = undefined;
    place.version = (place.version + 1) % VERSIONS;
    this.#firstFree = Math.min(this.#firstFree, handle % PLACES);
  }

  /** Forgets all entries and their places. */
  clear(): void {
    this.#places.length = 0;
    this.#firstFree = 0;
  }

  find(handle: number): T | DeadHandle {
    const place = this.#places[handle % PLACES];
    if (place?.entry === undefined) return 'unknown';
    return place.version === Math.floor(handle / PLACES) ? place.entry : 'expired';
  }
}
