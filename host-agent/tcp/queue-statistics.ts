/** Steps per doubling: values within 1.1 % of each other count as one. */
const STEPS = 64;

export interface QueueSummary {
  readonly samples: number;
  readonly min: number;
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Minimum, mean and quantiles of values from 0 on, in constant memory and within 1.1 %. */
export class QueueStatistics {
  #samples = 0;
  #sum = 0;
  #min = Infinity;
  #max = 0;
  readonly #counts = new Map<number, number>();

  add(value: number): void {
    this.#samples++;
    this.#sum += value;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
    const step = value < 1 ? -1 : Math.round(STEPS * Math.log2(value));
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + 1);
  }

  summary(): QueueSummary {
    if (this.#samples === 0) return { samples: 0, min: 0, mean: 0, p50: 0, p99: 0, max: 0 };
    return {
      samples: this.#samples,
      min: this.#min,
      mean: this.#sum / this.#samples,
      p50: this.#quantile(0.5),
      p99: this.#quantile(0.99),
      max: this.#max,
    };
  }

  /** The value that this share of the samples does not exceed. */
  #quantile(share: number): number {
    const wanted = Math.ceil(share * this.#samples);
    const steps = [...this.#counts].sort(([a], [b]) => a - b);
    let seen = 0;
    for (const [step, count] of steps) {
      seen += count;
      if (seen >= wanted) return Math.min(this.#max, step < 0 ? 0 : 2 ** (step / STEPS));
    }
    return this.#max;
  }
}
