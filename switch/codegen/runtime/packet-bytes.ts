import { ignoresTrailingZeros } from '../../runtime/hash';
import { writeBits } from '../../runtime/bit-fields';
import type { BitString } from '../../runtime/bit-string';
import type { HashName } from '../../runtime/hash';
import type { GeneratedPacket } from './generated-packet';

/** Up to this many bytes a loop is faster than setting up a bulk copy. */
const SMALL = 12;

/**
 * Copies the stored bytes that were not parsed to the end of `out[start..end)`; what stands before them is
 * not defined then, so headers come afterwards. They stay where they are if that is where they belong.
 * PERF: copying a few bytes too many costs less than an object for those that are wanted.
 */
export function copyTail(
  packet: GeneratedPacket,
  out: Uint8Array,
  start: number,
  end: number,
): void {
  const { bytes, offset } = packet;
  const length = packet.end - offset;
  const at = end - length;
  if (at === offset && out === bytes) return;
  if (length <= SMALL) {
    for (let i = 0; i < length; i++) out[at + i] = bytes[offset + i] ?? 0;
  } else if (at - offset >= start && packet.end === bytes.length) {
    out.set(bytes, at - offset);
  } else {
    out.set(bytes.subarray(offset, packet.end), at);
  }
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
  const { bytes, start, end, offset, receivedLength } = packet;
  const zeros = ignoresTrailingZeros(algorithm) ? 0 : receivedLength - (end - start);
  bits.appendBytes(bytes.subarray(offset, end), zeros);
}
