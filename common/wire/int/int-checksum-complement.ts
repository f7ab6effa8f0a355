import { foldChecksum } from '../ip/checksum';

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
