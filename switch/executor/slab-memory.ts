import type { Bytes } from '../../common/units/units';
import type { PacketMemory } from './executor';

const SLAB_BYTES = 65_536;

/**
 * Memory for packets that the caller keeps.
 * PERF: allocating each packet by itself costs about three times as much; a slab is freed when the
 * last of its packets is.
 */
export class SlabMemory implements PacketMemory {
  bytes = new Uint8Array(SLAB_BYTES);
  view = new DataView(this.bytes.buffer);
  start = 0;
  /** PERF: the length of a view is a call away. */
  #room = SLAB_BYTES;
  #end = 0;

  reserve(length: Bytes): void {
    if (this.#end + length > this.#room) this.#begin(length);
    this.start = this.#end;
    this.#end += length;
  }

  reserved(): Uint8Array {
    return new Uint8Array(this.view.buffer, this.start, this.#end - this.start);
  }

  /** Memory for one packet of so many bytes, whose contents are not defined. */
  take(length: Bytes): Uint8Array {
    this.reserve(length);
    return this.reserved();
  }

  /** Leaves the old slab to its packets. */
  #begin(length: Bytes): void {
    this.#room = Math.max(length, SLAB_BYTES);
    this.bytes = new Uint8Array(this.#room);
    this.view = new DataView(this.bytes.buffer);
    this.#end = 0;
  }
}
