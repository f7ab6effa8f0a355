/** Packet sequence numbers of InfiniBand: 24 bits, compared modulo 2^24. */
export const PSN_MODULUS = 0x100_0000;

/** `a - b` from -2^23 to 2^23 - 1: positive when `a` comes after `b`. */
export function psnDifference(a: number, b: number): number {
  const distance = (a - b) & 0xff_ffff;
  return distance < PSN_MODULUS / 2 ? distance : distance - PSN_MODULUS;
}

export const psnAdd = (psn: number, count: number): number => (psn + count) & 0xff_ffff;
