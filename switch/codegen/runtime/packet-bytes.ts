import { ignoresTrailingZeros } from '../../runtime/hash';
import { writeBits } from '../../runtime/bit-fields';
import type { BitString } from '../../runtime/bit-string';
import type { HashName } from '../../runtime/hash';
import type { GeneratedPacket } from './generated-packet';

/** Below this many bytes a loop is faster than setting up a bulk copy. */
const SMALL = 64;

const SLAB_BYTES = 65_536;
let slab = new ArrayBuffer(SLAB_BYTES);
let used = 0;

/**
 * Memory for one packet, which belongs to the caller. Its contents are not defined.
 * PERF: allocating each packet by itself costs about three times as much; a slab is freed when the
 * last of its packets is.
 */
export function allocateBytes(length: number): Uint8Array {
  if (length > SLAB_BYTES / 16) return new Uint8Array(length);
  if (used + length > SLAB_BYTES) {
    slab = new ArrayBuffer(SLAB_BYTES);
    used = 0;
  }
  const bytes = new Uint8Array(slab, used, length);
  used += length;
  return bytes;
}

/** Copies the stored bytes that were not parsed. */
export function copyTail({ bytes, offset }: GeneratedPacket, out: Uint8Array, at: number): void {
  const length = bytes.length - offset;
  if (length > SMALL) {
    out.set(bytes.subarray(offset), at);
    return;
  }
  for (let i = 0; i < length; i++) out[at + i] = bytes[offset + i] ?? 0;
}

/** Ends parsing at an error. */
export function stopParsing(packet: GeneratedPacket, offset: number, error: number): void {
  packet.offset = offset;
  packet.parserError = error;
}

/** Adds a field of more than 64 bits to bytes that are zero there. */
export function writeWideField(
  out: Uint8Array,
  bitOffset: number,
  width: number,
  value: bigint,
): void {
  writeBits(out, { bitOffset, width }, value);
}

/** The stored payload, and the zeros that are not stored where the algorithm notices them. */
export function appendPayload(bits: BitString, packet: GeneratedPacket, algorithm: HashName): void {
  const { bytes, offset, receivedLength } = packet;
  const zeros = ignoresTrailingZeros(algorithm) ? 0 : receivedLength - bytes.length;
  bits.appendBytes(bytes.subarray(offset), zeros);
}
