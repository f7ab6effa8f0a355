import type { Bytes } from '../units/units';

/**
 * A frame from the Ethernet header on, without preamble and frame check sequence.
 *
 * In virtual time nobody reads the payload of a simulated megabyte, so nobody copies it: `bytes`
 * holds at least all headers, and the frame continues with `length - bytes.length` bytes that are
 * zero and are not stored. On real interfaces `bytes.length === length`.
 */
export interface Packet {
  readonly bytes: Uint8Array;
  readonly length: Bytes;
  /**
   * The frame's last bytes where they follow virtual zeros without being zeros, such as a checksum
   * behind the payload. They count in `length`; absent when all behind `bytes` is zero.
   */
  readonly tail?: Uint8Array | undefined;
  /** Identity for observers (ledgers, traces); switches keep it, nothing acts on it. */
  readonly id?: number | undefined;
}
