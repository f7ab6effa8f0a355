import type { Bytes } from '../../common/units/units';
import type { PacketMemory } from '../executor/executor';

/** Longer packets are rare; they get memory of their own. */
const LARGEST = 16_384;

/**
 * Memory for one packet at a time: what is taken last overwrites what was taken before.
 * PERF: a view of each length is made once, as making one costs more than filling in the headers.
 */
export class ReusedBytes implements PacketMemory {
  readonly #memory = new DataView(new ArrayBuffer(LARGEST));
  readonly start = 0;
  readonly #views: (Uint8Array | undefined)[] = new Array<Uint8Array | undefined>(LARGEST + 1).fill(
    undefined,
  );

  #view = this.#memory;

  get view(): DataView {
    return this.#view;
  }

  /** So many bytes with undefined contents. */
  take(length: Bytes): Uint8Array {
    this.#view = length > LARGEST ? new DataView(new ArrayBuffer(length)) : this.#memory;
    return this.#views[length] ?? this.#makeView(length);
  }

  #makeView(length: Bytes): Uint8Array {
    const view = new Uint8Array(this.#view.buffer, 0, length);
    if (length <= LARGEST) this.#views[length] = view;
    return view;
  }
}
