/**
 * The Internet checksum of RFC 1071: the complement of the one's complement sum of 16-bit words.
 * An odd last byte counts as the high half of a word.
 */
export function internetChecksum(bytes: Uint8Array): number {
  let sum = 0;
  const pairs = bytes.length & ~1;
  for (let i = 0; i < pairs; i += 2) sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
  if (pairs < bytes.length) sum += (bytes[pairs] ?? 0) << 8;
  return foldChecksum(sum);
}

/**
 * The checksum from the plain sum of the words, which is exact in a number for every packet.
 * PERF: only sums of more than 65,537 words need the remainder of doubles.
 */
export function foldChecksum(wordSum: number): number {
  let sum = wordSum;
  while (sum > 0xffff_ffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
