/** Combination of the values of one bucket. */
export type Combine = 'greatest' | 'sum';

const BUCKETS = 1024;
const FIRST_WIDTH_NS = 1000;

/**
 * A series over time in bounded memory: values fall into 1,024 buckets of equal width. When time goes
 * beyond the last one, neighbours are joined and the width doubles, so peaks and sums survive.
 */
export class TimeBuckets {
  #widthNs = FIRST_WIDTH_NS;
  #values = new Float64Array(BUCKETS).fill(NaN);

  constructor(private readonly combine: Combine) {}

  /** Width of a bucket in ns. */
  get widthNs(): number {
    return this.#widthNs;
  }

  /** @param ns since the origin of the series, 0 or more. */
  add(ns: number, value: number): void {
    while (ns >= BUCKETS * this.#widthNs) this.#double();
    const i = Math.floor(ns / this.#widthNs);
    this.#values[i] = this.#joined(this.#values[i] as number, value);
  }

  /** Buckets that have a value, with their beginnings in ns. */
  *points(): Generator<readonly [ns: number, value: number]> {
    for (let i = 0; i < BUCKETS; i++) {
      const value = this.#values[i] as number;
      if (!Number.isNaN(value)) yield [i * this.#widthNs, value];
    }
  }

  #double(): void {
    const half = new Float64Array(BUCKETS).fill(NaN);
    for (let i = 0; i < BUCKETS; i++) {
      half[i >> 1] = this.#joined(half[i >> 1] as number, this.#values[i] as number);
    }
    this.#values = half;
    this.#widthNs *= 2;
  }

  #joined(one: number, other: number): number {
    if (Number.isNaN(one)) return other;
    if (Number.isNaN(other)) return one;
    return this.combine === 'sum' ? one + other : Math.max(one, other);
  }
}
