import type { Bytes } from '../units/units';

/**
 * A frame from the Ethernet header on, without preamble and frame check sequence.
 *
 * In virtual time the payload of a simulated megabyte is never read, so it is not stored: `bytes`
 * holds at least all headers, and the frame continues with `length - bytes.length` zero bytes. On
 * real interfaces `bytes.length === length`.
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
