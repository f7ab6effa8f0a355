import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { ByteSlab } from './byte-slab';

/** `length` bytes from `at` on, which a frame ends with. */
export interface FrameTail {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly length: Bytes;
}

/** Memory of the frames of a host. */
export interface FrameMemory {
  /** So many bytes, whose contents are not defined. */
  take(length: Bytes): Uint8Array;
  /** Copies a tail into the bytes that were taken last, from `at` on. */
  put(tail: FrameTail, into: Uint8Array, at: number): void;
  /** The frame of `length` bytes on the wire that begins with the bytes that were taken last. */
  frame(bytes: Uint8Array, length: Bytes): Packet;
}

/** Frames that are whoever's they are given to. */
export class SlabFrames implements FrameMemory {
  readonly #slab = new ByteSlab();

  take(length: Bytes): Uint8Array {
    return this.#slab.take(length);
  }

  put({ bytes, at, length }: FrameTail, into: Uint8Array, to: number): void {
    into.set(bytes.subarray(at, at + length), to);
  }

  frame(bytes: Uint8Array, length: Bytes): Packet {
    return { bytes, length };
  }
}
