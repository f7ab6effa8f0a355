import { writeUint16 } from '../bytes';

/** The Internet checksum (RFC 1071). */

/**
 * One's-complement sum of the 16-bit words in `bytes[start..end)`, unfolded. An odd last byte counts
 * as the high half of a word. Sums of up to 2^37 words stay exact.
 */
export function checksumWords(bytes: Uint8Array, start: number, end: number): number {
  let high = 0;
  let low = 0;
  let at = start;
  // PERF: four words in a round, since a round costs as much as a word; and halves by themselves, without shifts.
  for (; at + 7 < end; at += 8) {
    high +=
      (bytes[at] as number) +
      (bytes[at + 2] as number) +
      (bytes[at + 4] as number) +
      (bytes[at + 6] as number);
    low +=
      (bytes[at + 1] as number) +
      (bytes[at + 3] as number) +
      (bytes[at + 5] as number) +
      (bytes[at + 7] as number);
  }
  let sum = high * 256 + low;
  for (; at + 1 < end; at += 2) {
    sum += ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
  }
  return at < end ? sum + ((bytes[at] as number) << 8) : sum;
}

/**
 * Folds a sum of words to 16 bits by end-around carry.
 * PERF: only sums of more than 65,537 words need the remainder of doubles.
 */
export function foldChecksum(sum: number): number {
  let folded = sum;
  while (folded > 0xffff_ffff) folded = (folded % 0x10000) + Math.floor(folded / 0x10000);
  while (folded > 0xffff) folded = (folded & 0xffff) + (folded >>> 16);
  return folded;
}

/** The checksum field for a sum of words: its folded one's complement. */
export function finishChecksum(sum: number): number {
  return ~foldChecksum(sum) & 0xffff;
}

/** The checksum of `bytes`. */
export const internetChecksum = (bytes: Uint8Array): number =>
  finishChecksum(checksumWords(bytes, 0, bytes.length));

/**
 * INT instruction bit 15 and IOAM trace bit 7: a word that makes the one's-complement sum of all
 * that a node changed zero, so that the checksum of TCP or UDP stays as it is.
 *
 * @param removed sum of the 16-bit words that went, @param added sum of those that came, without
 * the complement itself; both unfolded.
 * @returns 32 bits with the value in the low half (our choice: the specifications name no half).
 */
export const checksumComplement = (removed: number, added: number): number =>
  ~foldChecksum(foldChecksum(added) + (~foldChecksum(removed) & 0xffff)) & 0xffff;

/** A TCP or UDP segment in a frame, behind an IPv4 or IPv6 header that has been parsed. */
export interface Segment {
  /** Offset of the IP header, whose addresses count. */
  readonly ipOffset: number;
  /** Offset of the TCP or UDP header. */
  readonly offset: number;
  /** End of the segment. */
  readonly end: number;
  readonly protocol: number;
}

const ADDRESSES = { 4: [12, 20], 6: [8, 40] } as const;

/** Sum of pseudo-header (RFC 9293 section 3.1, RFC 8200 section 8.1) and segment, unfolded. */
function segmentSum(bytes: Uint8Array, segment: Segment): number {
  const { ipOffset, offset, end, protocol } = segment;
  const [from, to] = ADDRESSES[(bytes[ipOffset] as number) >>> 4 === 6 ? 6 : 4];
  return (
    checksumWords(bytes, ipOffset + from, ipOffset + to) +
    protocol +
    (end - offset) +
    checksumWords(bytes, offset, end)
  );
}

export const segmentSumIsGood = (bytes: Uint8Array, segment: Segment): boolean =>
  foldChecksum(segmentSum(bytes, segment)) === 0xffff;

/** Checksum of a segment whose own checksum field is zero. */
export const segmentChecksum = (bytes: Uint8Array, segment: Segment): number =>
  finishChecksum(segmentSum(bytes, segment));

/** Writes the checksum of a segment to `checksumAt`, which lies inside it. */
export function fillChecksum(bytes: Uint8Array, segment: Segment, checksumAt: number): void {
  writeUint16(bytes, checksumAt, 0);
  writeUint16(bytes, checksumAt, segmentChecksum(bytes, segment));
}
