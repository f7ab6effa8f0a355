import { psnDifference, PSN_MODULUS } from '../../../common/wire/roce/psn';

/**
 * The number without wrap-around whose low 24 bits are `psn`, and that is nearest to `near`. Within a
 * queue pair all PSNs in question lie within 2^23 of each other.
 */
export const extendPsn = (psn: number, near: number): number =>
  near + psnDifference(psn, wirePsn(near));

/** What the wire carries of a number, which may be one below the first. */
export const wirePsn = (extended: number): number =>
  ((extended % PSN_MODULUS) + PSN_MODULUS) % PSN_MODULUS;
