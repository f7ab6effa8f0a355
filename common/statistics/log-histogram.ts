/** Percentiles lie so far above the exact ones at most, as a share of them. */
export const RELATIVE_ERROR = 0.01;

const STEP = Math.log(1 + RELATIVE_ERROR);

/**
 * Quantiles of any number of positive values in bounded memory: counts of values by buckets of 1 %, a few
 * thousand of them at most.
 */
export class LogHistogram {
  readonly #counts = new Map<number, number>();
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  /** The largest value; 0 without values. */
  get max(): number {
    return this.#max;
  }

  /** @param value above 0. */
  add(value: number): void {
    const bucket = Math.ceil(Math.log(value) / STEP);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#count++;
    this.#max = Math.max(this.#max, value);
  }

  /** Adds the values of another histogram. */
  addAll(other: LogHistogram): void {
    for (const [bucket, count] of other.#counts) {
      this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    }
    this.#count += other.#count;
    this.#max = Math.max(this.#max, other.#max);
  }

  /** At most 1 % above the smallest value that `share` of the values, from 0 to 1, do not exceed; 0 without values. */
  percentile(share: number): number {
    let left = Math.max(1, Math.ceil(share * this.#count));
    for (const bucket of [...this.#counts.keys()].sort((a, b) => a - b)) {
      left -= this.#counts.get(bucket) ?? 0;
      if (left <= 0) return Math.min(Math.exp(bucket * STEP), this.#max);
    }
    return 0;
  }
}
