import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { ByteSlab } from './byte-slab';

/** Memory of the frames of a host. */
export interface FrameMemory {
  /** So many bytes, whose contents are not defined. */
  take(length: Bytes): Uint8Array;
  /** The frame of `length` bytes on the wire that begins with the bytes that were taken last. */
  frame(bytes: Uint8Array, length: Bytes): Packet;
}

/** Frames that are whoever's they are given to. */
export class SlabFrames implements FrameMemory {
  readonly #slab = new ByteSlab();

  take(length: Bytes): Uint8Array {
    return this.#slab.take(length);
  }

  frame(bytes: Uint8Array, length: Bytes): Packet {
    return { bytes, length };
  }
}
