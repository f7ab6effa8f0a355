import type { Bytes } from '../../common/units/units';
import type { PacketMemory } from './executor';

const SLAB_BYTES = 65_536;

/**
 * Memory for packets that the caller keeps.
 * PERF: allocating each packet by itself costs about three times as much; a slab is freed when the
 * last of its packets is.
 */
export class SlabMemory implements PacketMemory {
  #view = new DataView(new ArrayBuffer(SLAB_BYTES));
  /** PERF: the length of a view is a call away. */
  #room = SLAB_BYTES;
  #start = 0;
  #end = 0;

  get view(): DataView {
    return this.#view;
  }

  get start(): number {
    return this.#start;
  }

  take(length: Bytes): Uint8Array {
    if (this.#end + length > this.#room) this.#begin(length);
    this.#start = this.#end;
    this.#end += length;
    return new Uint8Array(this.#view.buffer, this.#start, length);
  }

  /** Leaves the old slab to its packets. */
  #begin(length: Bytes): void {
    this.#room = Math.max(length, SLAB_BYTES);
    this.#view = new DataView(new ArrayBuffer(this.#room));
    this.#end = 0;
  }
}
