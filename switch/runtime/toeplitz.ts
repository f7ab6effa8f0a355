/** Whole words of 32 bits, most significant byte first. */
const WORD_BYTES = 4;

/** bmv2's key until somebody sets another: every hash is 0. */
export const ZERO_KEY: readonly number[] = [0];

/** The words of a key, or undefined when its length is not a positive multiple of 4 bytes. */
export function toeplitzKey(key: Uint8Array): readonly number[] | undefined {
  if (key.length === 0 || key.length % WORD_BYTES !== 0) return undefined;
  return words(key);
}

/**
 * The Toeplitz hash: each one bit of the input adds the 32 bits of the key that start at the bit's
 * position. Inputs longer than the key use it again from the start.
 */
export function toeplitz(key: readonly number[], bytes: Uint8Array): number {
  let result = 0;
  words(bytes).forEach((word, i) => {
    const left = key[i % key.length] ?? 0;
    const right = key[(i + 1) % key.length] ?? 0;
    for (let bit = 0; bit < 32; bit++) {
      if (((word >>> (31 - bit)) & 1) === 0) continue;
      result ^= bit === 0 ? left : (left << bit) | (right >>> (32 - bit));
    }
  });
  return result >>> 0;
}

/** The last word is filled up with zeros. */
function words(bytes: Uint8Array): number[] {
  const result = new Array<number>(Math.ceil(bytes.length / WORD_BYTES)).fill(0);
  bytes.forEach((byte, i) => {
    const word = Math.floor(i / WORD_BYTES);
    result[word] = ((result[word] ?? 0) | (byte << (24 - 8 * (i % WORD_BYTES)))) >>> 0;
  });
  return result;
}
