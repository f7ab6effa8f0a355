import type { Bytes } from '../../common/units/units';

/** Longer packets are rare; they get memory of their own. */
const LARGEST = 16_384;

/**
 * Memory for one packet at a time: what is taken last overwrites what was taken before.
 * PERF: a view of each length is made once, as making one costs more than filling in the headers.
 */
export class ReusedBytes {
  readonly #memory = new ArrayBuffer(LARGEST);
  readonly #views: (Uint8Array | undefined)[] = new Array<Uint8Array | undefined>(LARGEST + 1).fill(
    undefined,
  );

  /** So many bytes with undefined contents. */
  take(length: Bytes): Uint8Array {
    return this.#views[length] ?? this.#makeView(length);
  }

  #makeView(length: Bytes): Uint8Array {
    if (length > LARGEST) return new Uint8Array(length);
    const view = new Uint8Array(this.#memory, 0, length);
    this.#views[length] = view;
    return view;
  }
}
