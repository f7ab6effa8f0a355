/** The Internet checksum (RFC 1071) and its incremental update (RFC 1624). */

/**
 * One's-complement sum of the 16-bit words in `bytes[start..end)`, unfolded. An odd last byte counts
 * as the high half of a word. Sums of up to 2^37 words stay exact.
 */
export function checksumWords(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  let at = start;
  for (; at + 1 < end; at += 2) {
    sum += ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
  }
  return at < end ? sum + ((bytes[at] as number) << 8) : sum;
}

/** Folds a sum of words to 16 bits by end-around carry. */
export function foldChecksum(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded % 0x10000) + Math.floor(folded / 0x10000);
  return folded;
}

/** The checksum field for a sum of words: its folded one's complement. */
export function finishChecksum(sum: number): number {
  return ~foldChecksum(sum) & 0xffff;
}

/**
 * Checksum field after 16-bit words changed (RFC 1624, equation 3: HC' = ~(~HC + ~m + m')).
 *
 * @param removed sum of the words that went, @param added sum of the words that came; both unfolded.
 */
export function updateChecksum(checksum: number, removed: number, added: number): number {
  return finishChecksum((~checksum & 0xffff) + (~foldChecksum(removed) & 0xffff) + added);
}
