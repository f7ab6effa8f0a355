/**
 * Seeded pseudo-random numbers: xoshiro128** seeded by splitmix32 from a 64-bit seed.
 * All randomness of a run comes from one generator whose seed is printed in the run's result.
 */
export class Random {
  readonly #state = new Uint32Array(4);

  /** @param seed non-negative integer below 2^53; equal seeds give equal sequences. */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new RangeError(`seed must be an integer from 0 to 2^53-1, got ${seed}`);
    }
    let mix = (seed >>> 0) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b9);
    for (let i = 0; i < 4; i++) {
      mix = (mix + 0x9e3779b9) | 0;
      let z = mix ^ (mix >>> 16);
      z = Math.imul(z, 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      this.#state[i] = z ^ (z >>> 15);
    }
  }

  /** A generator that goes on as this one does, without it. */
  clone(): Random {
    const other = new Random(0);
    other.#state.set(this.#state);
    return other;
  }

  /** The next 32 bits, as an integer from 0 to 2^32-1. */
  uint32(): number {
    const s = this.#state as unknown as [number, number, number, number];
    const product = Math.imul(s[1], 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9);
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result >>> 0;
  }

  /** A number from 0 (included) to 1 (excluded), with 32 random bits. */
  uniform(): number {
    return this.uint32() / 2 ** 32;
  }

  /** An integer from 0 (included) to `limit` (excluded); the bias is below limit / 2^32. */
  below(limit: number): number {
    return Math.floor(this.uniform() * limit);
  }

  /** An exponentially distributed number with the given mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }
}
